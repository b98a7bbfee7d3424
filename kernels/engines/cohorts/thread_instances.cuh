#pragma once

#include "kernels/engines/cohorts/a_max_batch/engine.cuh"
#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/cohorts/fixed_length_batch/engine.cuh"
#include "kernels/engines/cohorts/lottery/thread_form.cuh"

namespace crx {

/// Instances of a workload that a GPU's threads run, one at a time each.
struct ThreadInstances
{
    WorkloadView workload;
    std::int64_t first = 0, count = 0; ///< instances first .. first + count - 1
    /// counts[apart k + j]: requests of the j-th length in instance first + k.
    std::int64_t const* counts = nullptr;
    std::int64_t apart = 0;
    Outcome* outcome = nullptr; ///< outcome[k]: of instance first + k

    /// The k-th, on an engine of this thread; past the last one nothing, but threads of a warp must
    /// come here together. Contract: k >= 0.
    template <class Engine>
    CRX_HD void execute(Engine& engine, std::int64_t k) const
    {
        auto const* own = counts + apart * k;
        engine.open(workload, first + k, k < count ? 1 : 0, own, apart);
        engine.run();
        if (k >= count) return;
        auto o = engine.outcome(workload, 0, own);
        o.first_token_latency = first_token_latency(o.total_latency, workload, own);
        outcome[k] = o;
    }
};

/// Places of a ring that is enough for so many, a power of two.
constexpr std::int32_t ring_of(std::int64_t places)
{
    std::int32_t ring = 2;
    while (ring < places) ring *= 2;
    return ring;
}
/// The largest ring up to `most` places whose lanes' places fit in so many bytes; two at least.
constexpr std::int32_t near_ring(std::int64_t bytes, std::int64_t place_bytes, std::int32_t most)
{
    auto ring = most;
    while (ring > 2 && ring * place_bytes > bytes) ring /= 2;
    return ring;
}

/// Memory for the lines that the threads of a warp draw from: what `lines` of them need, the rows
/// of each side by side with those of the other threads.
struct ThreadLines
{
    std::int64_t block = 0, rows = 0; ///< SamplingWithoutReplacement's; rows of 64 places a line
    std::int32_t lines = 0;

    /// Of a workload's lines; none where nothing is drawn.
    CRX_HD static ThreadLines of(WorkloadView const& w, std::int32_t lines, bool draws)
    {
        auto const block = sampling_block(static_cast<std::int64_t>(w.output_value.size()));
        return {block, draws ? sampling_rows(w.requests, block) : 0, lines};
    }
    /// Words that a warp needs.
    CRX_HD std::int64_t words() const { return rows * lines * ThreadLine::Rows::apart; }
    /// Those of thread number `lane` of the warp, in memory of its own.
    CRX_HD void open(std::uint64_t* memory, int lane, ThreadLine* line) const
    {
        for (int k = 0; k < lines; ++k)
            line[k] = ThreadLine(
                ThreadLine::Rows(memory + k * rows * ThreadLine::Rows::apart + lane), block);
    }
};

} // namespace crx
