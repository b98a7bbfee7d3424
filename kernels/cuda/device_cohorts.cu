#include "kernels/cuda/device_engines.cuh"
#include "kernels/cuda/launch_device.cuh"
#include "kernels/cuda/slices.cuh"
#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/model/draw_counts.cuh"

namespace crx {
namespace {

/// Counts of instances whose requests are never written down.
struct DrawCountsSlot
{
    Batch batch;
    CRX_HD void operator()(std::int64_t slot) const
    {
        draw_counts(batch.workload, static_cast<std::uint64_t>(batch.first + slot),
                    batch.counts_of(slot));
    }
};

/// Counts of instances that were generated request by request.
struct CountSlot
{
    Batch batch;
    CRX_HD void operator()(std::int64_t slot) const
    {
        auto const requests = batch.requests_of(slot);
        auto const& values = batch.workload.output_value;
        auto* const counts = batch.counts_of(slot);
        for (std::size_t k = 0; k < values.size(); ++k) counts[k] = 0;
        for (std::int64_t i = 0; i < requests.n; ++i) {
            std::size_t low = 0, high = values.size() - 1;
            while (low < high) {
                auto const middle = (low + high) / 2;
                if (values[middle] < requests.output[i])
                    low = middle + 1;
                else
                    high = middle;
            }
            ++counts[low];
        }
    }
};

/// One policy, known when the kernel is compiled, so that a kernel holds one engine only.
template <class P>
struct ExecuteCohortSlot
{
    /// Engines that draw spill otherwise (scripts/kernel_resources).
    static constexpr bool wide = P::cohort_form != CohortForm::shortest_first;
    Batch batch;
    P policy;
    Outcome* outcome;
    std::int64_t events; ///< at most
    __device__ void operator()(std::int64_t slot) const
    {
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        Outcome own;
        auto const instance = static_cast<std::uint64_t>(batch.first + slot);
        auto const done = execute_cohorts_within(events, policy, batch.workload,
                                                 batch.counts_of(slot), instance, arena, {}, own);
        write_outcome(done, own, batch, outcome + slot);
    }
};
/// From the beginning again and in slices, where that is not enough.
template <class P>
struct SliceCohortSlot
{
    static constexpr bool wide = true;
    Batch batch;
    P policy;
    Outcome* outcome;
    bool begins;
    std::int64_t events;
    __device__ void operator()(std::int64_t slot) const
    {
        if (!is_unknown(outcome[slot])) return;
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        Outcome own;
        auto const instance = static_cast<std::uint64_t>(batch.first + slot);
        auto const done = execute_cohort_slice(begins, events, policy, batch.workload,
                                               batch.counts_of(slot), instance, arena, own);
        write_outcome(done, own, batch, outcome + slot);
    }
};

struct BoundByClassSlot
{
    Batch batch;
    std::int64_t* bound;
    CRX_HD void operator()(std::int64_t slot) const
    {
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        bound[slot] =
            volume_by_class(take_composition(arena, batch.workload, batch.counts_of(slot)));
    }
};

} // namespace

void draw_counts_of(Batch const& batch) { launch(batch.count, DrawCountsSlot{batch}); }

void count_requests_of(Batch const& batch) { launch(batch.count, CountSlot{batch}); }

void bound_by_class(Batch const& batch, std::int64_t* bound)
{
    run_by_engine_slots(batch, [&](Batch const& part, std::int64_t from) {
        launch(part.count, BoundByClassSlot{part, bound + from});
    });
}

void launch_cohorts(PolicySpec const& spec, Batch const& batch, Outcome* outcome)
{
    auto const run = [&](auto const& policy) {
        using P = std::remove_cvref_t<decltype(policy)>;
        run_by_engine_slots(batch, [&](Batch const& part, std::int64_t from) {
            run_in_slices(part, [&](int slice, std::int64_t events) {
                auto* const to = outcome + from;
                if (slice == 0)
                    launch(part.count, ExecuteCohortSlot<P>{part, policy, to, events});
                else
                    launch(part.count, SliceCohortSlot<P>{part, policy, to, slice == 1, events});
            });
        });
    };
    with_policy(spec, [&]<class P>(P const& policy) {
        if constexpr (P::cohort_form == CohortForm::shortest_first)
            run(ShortestFirst{}); // one kernel for all of them: with one prompt length, one order
        else if constexpr (P::cohort_form != CohortForm::none)
            run(policy);
        else
            contract_violated("a policy with a cohort engine", __FILE__, __LINE__);
    });
}

} // namespace crx
