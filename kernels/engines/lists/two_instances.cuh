#pragma once

#include "kernels/base/thread_lanes.cuh"
#include "kernels/engines/lists/short_schedule.cuh"
#include "kernels/model/length_law.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx::mc_sf_batch {

/// The most requests of an instance that a GPU's thread runs: two instances' keys lie in its
/// registers while they are sorted.
inline constexpr int most_thread_requests = 64;

/// What the threads of a GPU know of a workload that layout_serving() accepts.
struct ThreadPlan
{
    KeyLayout layout;
    /// Of laws that are uniform; values = 0: not so.
    UniformLaw uniform_output{0, 0}, uniform_prompt{0, 0};
};

/// On the host.
inline ThreadPlan thread_plan(WorkloadView const& w)
{
    ThreadPlan plan;
    plan.layout = *layout_serving(w);
    if (auto const law = UniformLaw::of({w.output_value, w.output_threshold}))
        plan.uniform_output = *law;
    if (auto const law = UniformLaw::of({w.prompt_value, w.prompt_threshold}))
        plan.uniform_prompt = *law;
    return plan;
}

// Two numbers below 2^15 a word.
CRX_HD inline std::uint32_t smaller_of_pairs(std::uint32_t a, std::uint32_t b)
{
#ifdef __CUDA_ARCH__
    return __vmins2(a, b);
#else
    auto const low = (a & 0xffff) < (b & 0xffff) ? a : b, high = a >> 16 < b >> 16 ? a : b;
    return (low & 0xffff) | (high & 0xffff0000);
#endif
}
CRX_HD inline std::uint32_t larger_of_pairs(std::uint32_t a, std::uint32_t b)
{
#ifdef __CUDA_ARCH__
    return __vmaxs2(a, b);
#else
    auto const low = (a & 0xffff) < (b & 0xffff) ? b : a, high = a >> 16 < b >> 16 ? b : a;
    return (low & 0xffff) | (high & 0xffff0000);
#endif
}

/// merge_exchange() from the exchanges of one (p, q, r, d) on, both halves of all words at once.
/// Its loops are known when it is compiled, so that words stay in registers.
template <int n, int p, int q, int r, int d>
CRX_IN_LANES void exchange_pairs(std::uint32_t (&words)[n])
{
    CRX_UNROLL
    for (int i = 0; i < n - d; ++i) {
        if ((i & p) != r) continue;
        auto const a = words[i], b = words[i + d];
        words[i] = smaller_of_pairs(a, b);
        words[i + d] = larger_of_pairs(a, b);
    }
    constexpr int top = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / 2;
    if constexpr (q != p)
        exchange_pairs<n, p, q / 2, p, q - p>(words);
    else if constexpr (p > 1)
        exchange_pairs<n, p / 2, top, 0, p / 2>(words);
}
template <int n>
CRX_IN_LANES void sort_pairs(std::uint32_t (&words)[n])
{
    constexpr int top = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / 2;
    exchange_pairs<n, top, top, 0, top>(words);
}

/// MC-SF and the volume bound of two instances by one thread: what McSfBatch does in two lanes.
/// `most`: no fewer than the requests of either. Words of keys lie `stride` apart, so that threads
/// beside each other read memory beside each other.
template <int most>
class TwoInstances
{
  public:
    /// words: the thread's first of `most`.
    CRX_HD TwoInstances(std::uint32_t* words, std::int64_t stride) : words_(words), stride_(stride)
    {
    }

    /// Draws the first instance or the second. Contract: the first comes before the second.
    CRX_HD void draw(int half, ThreadPlan const& plan, WorkloadView const& w,
                     std::uint64_t instance)
    {
        plan_[half] = &plan;
        n_[half] = static_cast<int>(w.requests);
        memory_[half] = static_cast<std::int32_t>(w.memory);
        auto const law = [](UniformLaw const& uniform, auto const& value, auto const& threshold,
                            WordStream& words) {
            return uniform.values > 0 ? uniform.draw(words.next())
                                      : TableLaw{value, threshold}.draw(words.next());
        };
        WordStream lengths(w.seed, stream_lengths, instance);
        WordStream prompts(w.seed, stream_prompts, instance);
        // By two, as words are made; a last one that is nobody's is not used.
        for (int i = 0; i < n_[half]; i += 2) {
            std::int32_t o[2], s[2];
            CRX_UNROLL
            for (auto& length : o)
                length = law(plan.uniform_output, w.output_value, w.output_threshold, lengths);
            CRX_UNROLL
            for (auto& prompt : s)
                prompt = w.prompt_kind == PromptKind::table
                             ? law(plan.uniform_prompt, w.prompt_value, w.prompt_threshold, prompts)
                             : w.prompt_constant;
            put(half, i, plan.layout.key(o[0], i, s[0]));
            if (i + 1 < n_[half]) put(half, i + 1, plan.layout.key(o[1], i + 1, s[1]));
        }
        for (int i = n_[half]; i < most; ++i) put(half, i, last);
    }
    /// There is no second instance.
    CRX_HD void leave_out_second()
    {
        for (int i = 0; i < most; ++i) put(1, i, last);
    }

    /// Contract: both are drawn, or the second is left out.
    CRX_HD void sort()
    {
        std::uint32_t keys[most];
        CRX_UNROLL
        for (int i = 0; i < most; ++i) keys[i] = words_[i * stride_];
        sort_pairs(keys);
        CRX_UNROLL
        for (int i = 0; i < most; ++i) words_[i * stride_] = keys[i];
    }

    /// finished = 0: not known, run it some other way. Contract of this and volumes(): sorted.
    CRX_HD Outcome shortest_first(int half) const
    {
        ShortSchedule<OneLane> schedule;
        Outcome outcome;
        for (int k = 0; k < n_[half]; ++k) {
            auto const key = key_of(half, k);
            auto const o = output(half, key), s = prompt(half, key);
            auto const end = schedule.start({s}, {o}, {s - memory_[half]}).v;
            outcome.total_latency += end;
            outcome.first_token_latency += end - (o - 1);
        }
        outcome.makespan = schedule.makespan().v;
        outcome.peak_memory = schedule.peak_memory().v;
        outcome.events = schedule.event_rounds().v;
        if (schedule.lost_track().v != 0) outcome.finished = 0;
        return outcome;
    }

    /// VolumeBound (kernels/model/volume_bound.cuh) of both. Contract: bounds_volume() of both.
    CRX_HD void volumes(std::int32_t (&bound)[2]) const
    {
        std::uint32_t volume[most];
        CRX_UNROLL
        for (int k = 0; k < most; ++k)
            volume[k] = static_cast<std::uint32_t>(volume_of(0, k)) |
                        static_cast<std::uint32_t>(volume_of(1, k)) << 16;
        sort_pairs(volume);
        for (int half = 0; half < 2; ++half) {
            auto const memory = memory_[half];
            auto const inverse = 1.0f / static_cast<float>(memory);
            std::int32_t sum = -1, total = 0;
            CRX_UNROLL
            for (int k = 0; k < most; ++k) {
                if (k >= n_[half]) continue;
                sum += static_cast<std::int32_t>(volume[k] >> 16 * half & 0xffff);
                // The product is off by less than one: sums are below 2^24.
                auto rounds = static_cast<std::int32_t>(static_cast<float>(sum) * inverse);
                auto const rest = sum - rounds * memory;
                rounds += rest >= memory ? 1 : rest < 0 ? -1 : 0;
                auto const o = output(half, key_of(half, k));
                total += rounds + 1 > o ? rounds + 1 : o;
            }
            bound[half] = total;
        }
    }

  private:
    static constexpr std::int32_t last = 0x7fff; ///< behind every key and volume, or as the last

    CRX_HD void put(int half, int i, std::int32_t key)
    {
        auto& word = words_[i * stride_];
        auto const bits = static_cast<std::uint32_t>(key);
        word = half == 0 ? bits : (word & 0xffff) | bits << 16;
    }
    CRX_HD std::int32_t key_of(int half, int k) const
    {
        return static_cast<std::int32_t>(words_[k * stride_] >> 16 * half & 0xffff);
    }
    CRX_HD std::int32_t output(int half, std::int32_t key) const
    {
        return (key >> plan_[half]->layout.output_shift) + plan_[half]->layout.least_output;
    }
    CRX_HD std::int32_t prompt(int half, std::int32_t key) const
    {
        return (key & ((1 << plan_[half]->layout.number_shift) - 1)) +
               plan_[half]->layout.least_prompt;
    }
    CRX_HD std::int32_t volume_of(int half, int k) const
    {
        if (k >= n_[half]) return last;
        auto const key = key_of(half, k);
        auto const o = output(half, key);
        return prompt(half, key) * o + o * (o + 1) / 2;
    }

    std::uint32_t* words_;
    std::int64_t stride_;
    ThreadPlan const* plan_[2] = {};
    int n_[2] = {};
    std::int32_t memory_[2] = {1, 1};
};

} // namespace crx::mc_sf_batch
