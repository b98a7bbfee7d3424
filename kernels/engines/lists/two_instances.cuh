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
        // Copies, as what is written might be what pointers point to.
        auto const layout = plan.layout;
        auto const n = n_[half];
        auto const outputs = narrow(plan.uniform_output), sizes = narrow(plan.uniform_prompt);
        bool const any_prompt = w.prompt_kind == PromptKind::table;
        WordStream lengths(w.seed, stream_lengths, instance);
        WordStream prompts(w.seed, stream_prompts, instance);
        // By two, as words are made; a last one that is nobody's is not used.
        for (int i = 0; i < n; i += 2) {
            std::uint64_t const of_lengths[] = {lengths.next(), lengths.next()};
            std::uint64_t of_prompts[2] = {};
            if (any_prompt)
                for (auto& word : of_prompts) word = prompts.next();
            CRX_UNROLL
            for (int k = 0; k < 2; ++k) {
                auto const o = drawn(outputs, w.output_value, w.output_threshold, of_lengths[k]);
                auto const s = any_prompt
                                   ? drawn(sizes, w.prompt_value, w.prompt_threshold, of_prompts[k])
                                   : static_cast<std::int32_t>(w.prompt_constant);
                if (i + k < n) put(half, i + k, layout.key(o, i + k, s));
            }
        }
        for (int i = n; i < most; ++i) put(half, i, last);
    }
    /// There is no second instance.
    CRX_HD void leave_out_second()
    {
        plan_[1] = plan_[0];
        n_[1] = 0;
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
        auto const layout = plan_[half]->layout;
        auto const n = n_[half], memory = memory_[half];
        for (int k = 0; k < n; ++k) {
            auto const key = key_of(half, k);
            auto const o = output(layout, key), s = prompt(layout, key);
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

    /// VolumeBound (kernels/model/volume_bound.cuh) of both. Contract: bounds_volume() of both.
    CRX_HD void volumes(std::int32_t (&bound)[2]) const
    {
        auto const first = plan_[0]->layout, second = plan_[1]->layout;
        std::uint32_t volume[most];
        CRX_UNROLL
        for (int k = 0; k < most; ++k) {
            auto const word = words_[k * stride_];
            volume[k] = volume_of(first, k < n_[0], word & 0xffff) |
                        volume_of(second, k < n_[1], word >> 16) << 16;
        }
        sort_pairs(volume);
        CRX_NO_UNROLL
        for (int half = 0; half < 2; ++half) {
            auto const layout = plan_[half]->layout;
            auto const n = n_[half];
            auto const memory = static_cast<std::uint32_t>(memory_[half]);
            auto const inverse = ~std::uint32_t{0} / memory; // 2^32 / M, by less than 2 too small
            std::uint32_t sum = ~std::uint32_t{0};
            std::int32_t total = 0;
            CRX_UNROLL
            for (int k = 0; k < most; ++k) {
                if (k >= n) break;
                sum += volume[k] >> 16 * half & 0xffff;
                // Sums are below 2^24, so this is sum / M or one less.
                auto rounds = static_cast<std::uint32_t>(std::uint64_t{sum} * inverse >> 32);
                rounds += sum - rounds * memory >= memory ? 2 : 1;
                auto const o = output(layout, key_of(half, k));
                auto const waits = static_cast<std::int32_t>(rounds);
                total += waits > o ? waits : o;
            }
            bound[half] = total;
        }
    }

  private:
    static constexpr std::int32_t last = 0x7fff; ///< behind every key and volume, or as the last

    /// The law, whose K is a number of 32 bits.
    CRX_HD static UniformLaw narrow(UniformLaw const& law)
    {
        return {static_cast<std::uint32_t>(law.values), law.first};
    }
    template <class Value, class Threshold>
    CRX_HD static std::int32_t drawn(UniformLaw const& uniform, Value const& value,
                                     Threshold const& threshold, std::uint64_t word)
    {
        return uniform.values > 0 ? uniform.draw(word) : TableLaw{value, threshold}.draw(word);
    }
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
    CRX_HD static std::int32_t output(KeyLayout const& layout, std::int32_t key)
    {
        return (key >> layout.output_shift) + layout.least_output;
    }
    CRX_HD static std::int32_t prompt(KeyLayout const& layout, std::int32_t key)
    {
        return (key & ((1 << layout.number_shift) - 1)) + layout.least_prompt;
    }
    CRX_HD static std::uint32_t volume_of(KeyLayout const& layout, bool any, std::uint32_t bits)
    {
        auto const key = static_cast<std::int32_t>(bits);
        auto const o = output(layout, key);
        auto const volume = prompt(layout, key) * o + o * (o + 1) / 2;
        return static_cast<std::uint32_t>(any ? volume : last);
    }

    std::uint32_t* words_;
    std::int64_t stride_;
    ThreadPlan const* plan_[2] = {};
    int n_[2] = {};
    std::int32_t memory_[2] = {1, 1};
};

} // namespace crx::mc_sf_batch
