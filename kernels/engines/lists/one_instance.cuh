#pragma once

#include "kernels/base/thread_lanes.cuh"
#include "kernels/engines/lists/short_schedule.cuh"
#include "kernels/model/length_law.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx::mc_sf_batch {

/// What the threads of a GPU share: a workload that layout_serving() accepts and its network.
struct ThreadPlan
{
    WorkloadView workload;
    KeyLayout layout;
    Exchange const* exchange = nullptr;
    int exchanges = 0;
    bool volume = false; ///< bounds_volume() of the workload, and asked for
    /// Of laws that are uniform; values = 0: not so.
    UniformLaw uniform_output{0, 0}, uniform_prompt{0, 0};
};

/// The plan of a workload that layout_serving() accepts. Tables and exchanges must outlive it; for
/// a GPU they are replaced by their copies there.
inline ThreadPlan thread_plan(WorkloadView const& w, KeyLayout const& layout,
                              std::span<Exchange const> exchanges, bool with_volume)
{
    ThreadPlan plan;
    plan.workload = w;
    plan.layout = layout;
    plan.exchange = exchanges.data();
    plan.exchanges = static_cast<int>(exchanges.size());
    plan.volume = with_volume && bounds_volume(w);
    if (auto const law = UniformLaw::of({w.output_value, w.output_threshold}))
        plan.uniform_output = *law;
    if (auto const law = UniformLaw::of({w.prompt_value, w.prompt_threshold}))
        plan.uniform_prompt = *law;
    return plan;
}

/// MC-SF and the volume bound of one instance by one thread: what McSfBatch does in a lane. Its
/// keys lie `stride` apart, so that threads beside each other read memory beside each other.
class OneInstance
{
  public:
    /// keys, volumes: the thread's first of n each; volumes may be null where none are asked for.
    CRX_HD OneInstance(ThreadPlan const& plan, std::int16_t* keys, std::int16_t* volumes,
                       std::int64_t stride)
        : plan_(plan), n_(static_cast<int>(plan.workload.requests)), keys_(keys), volumes_(volumes),
          stride_(stride)
    {
    }

    CRX_HD void draw(std::uint64_t instance)
    {
        auto const& w = plan_.workload;
        auto const law = [](UniformLaw const& uniform, auto const& value, auto const& threshold,
                            WordStream& words) {
            return uniform.values > 0 ? uniform.draw(words.next())
                                      : TableLaw{value, threshold}.draw(words.next());
        };
        WordStream lengths(w.seed, stream_lengths, instance);
        WordStream prompts(w.seed, stream_prompts, instance);
        for (int i = 0; i < n_; ++i) {
            auto const o = law(plan_.uniform_output, w.output_value, w.output_threshold, lengths);
            auto const s =
                w.prompt_kind == PromptKind::table
                    ? law(plan_.uniform_prompt, w.prompt_value, w.prompt_threshold, prompts)
                    : w.prompt_constant;
            keys_[i * stride_] = static_cast<std::int16_t>(plan_.layout.key(o, i, s));
        }
        sort(keys_);
    }

    /// finished = 0: not known, run it some other way.
    CRX_HD Outcome shortest_first() const
    {
        ShortSchedule<OneLane> schedule;
        auto const memory = static_cast<std::int32_t>(plan_.workload.memory);
        Outcome outcome;
        for (int k = 0; k < n_; ++k) {
            auto const o = output(k), s = prompt(k);
            auto const end = schedule.start({s}, {o}, {s - memory}).v;
            outcome.total_latency += end;
            outcome.first_token_latency += end - (o - 1);
        }
        outcome.makespan = schedule.makespan().v;
        outcome.peak_memory = schedule.peak_memory().v;
        outcome.events = schedule.event_rounds().v;
        if (schedule.lost_track().v != 0) outcome.finished = 0;
        return outcome;
    }

    /// VolumeBound (kernels/model/volume_bound.cuh); divisions as in bound_rows.
    CRX_HD std::int64_t volume() const
    {
        for (int k = 0; k < n_; ++k) {
            auto const o = output(k);
            volumes_[k * stride_] = static_cast<std::int16_t>(prompt(k) * o + o * (o + 1) / 2);
        }
        sort(volumes_);
        auto const memory = static_cast<float>(plan_.workload.memory);
        std::int32_t sum = 0, total = 0;
        for (int k = 0; k < n_; ++k) {
            sum += volumes_[k * stride_];
            auto const by_volume =
                1 + static_cast<std::int32_t>(static_cast<float>(sum - 1) / memory);
            auto const o = output(k);
            total += by_volume > o ? by_volume : o;
        }
        return total;
    }

  private:
    CRX_HD std::int32_t output(int k) const
    {
        return (keys_[k * stride_] >> plan_.layout.output_shift) + plan_.layout.least_output;
    }
    CRX_HD std::int32_t prompt(int k) const
    {
        return (keys_[k * stride_] & ((1 << plan_.layout.number_shift) - 1)) +
               plan_.layout.least_prompt;
    }

    CRX_HD void sort(std::int16_t* keys) const
    {
        for (int e = 0; e < plan_.exchanges; ++e) {
            auto const exchange = plan_.exchange[e];
            auto &low = keys[exchange.low * stride_], &high = keys[exchange.high * stride_];
            auto const a = low, b = high;
            low = a < b ? a : b;
            high = a < b ? b : a;
        }
    }

    ThreadPlan const& plan_;
    int n_;
    std::int16_t *keys_, *volumes_;
    std::int64_t stride_;
};

} // namespace crx::mc_sf_batch
