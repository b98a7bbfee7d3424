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
    GpuBatch batch;
    CRX_HD void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        auto const& cell = batch.cell_of(slot);
        draw_counts(cell.workload, cell.instance(slot), batch.counts_of(cell, slot));
    }
};

/// Counts of instances that were generated request by request.
struct CountSlot
{
    GpuBatch batch;
    CRX_HD void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        auto const& cell = batch.cell_of(slot);
        auto const requests = batch.requests_of(cell, k);
        auto const& values = cell.workload.output_value;
        auto* const counts = batch.counts_of(cell, slot);
        for (std::size_t c = 0; c < values.size(); ++c) counts[c] = 0;
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

template <class P>
struct CohortSource
{
    /// Engines that draw spill otherwise (scripts/kernel_resources).
    static constexpr bool wide = P::cohort_form != CohortForm::shortest_first;

    __device__ static bool begin(std::int64_t events, GpuBatch const& batch, BatchCell const& cell,
                                 std::int64_t k, Outcome& outcome)
    {
        auto const slot = batch.slot_of(k);
        auto arena = batch.arena(k);
        return execute_cohorts_within(events, policy_with<P>(cell.specs[batch.run]), cell.workload,
                                      batch.counts_of(cell, slot), cell.instance(slot), arena, {},
                                      outcome);
    }
    __device__ static bool go_on(bool begins, std::int64_t events, GpuBatch const& batch,
                                 BatchCell const& cell, std::int64_t k, Outcome& outcome)
    {
        auto const slot = batch.slot_of(k);
        auto arena = batch.arena(k);
        return execute_cohort_slice(begins, events, policy_with<P>(cell.specs[batch.run]),
                                    cell.workload, batch.counts_of(cell, slot), cell.instance(slot),
                                    arena, outcome);
    }
};

struct BoundByClassSlot
{
    GpuBatch batch;
    std::int64_t* bound;
    CRX_HD void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        auto const& cell = batch.cell_of(slot);
        auto arena = batch.arena(k);
        bound[slot] =
            volume_by_class(take_composition(arena, cell.workload, batch.counts_of(cell, slot)));
    }
};

} // namespace

void draw_counts_of(GpuBatch const& batch) { launch(batch.count, DrawCountsSlot{batch}); }

void count_requests_of(GpuBatch const& batch) { launch(batch.count, CountSlot{batch}); }

void bound_by_class(GpuBatch const& batch, std::size_t bytes, std::int64_t* bound)
{
    run_with_engines<DeviceArray<char>>(batch, bytes, [&](GpuBatch const& part) {
        launch(part.count, BoundByClassSlot{part, bound});
    });
}

void launch_cohorts(PolicySpec const& spec, GpuBatch const& batch, std::size_t bytes,
                    Outcome* outcome)
{
    with_policy(spec, [&]<class P>(P const&) {
        if constexpr (P::cohort_form == CohortForm::shortest_first)
            // One kernel for all of them: with one prompt length, one order.
            launch_in_slices<CohortSource<ShortestFirst>>(batch, bytes, outcome);
        else if constexpr (P::cohort_form != CohortForm::none)
            launch_in_slices<CohortSource<P>>(batch, bytes, outcome);
        else
            contract_violated("a policy with a cohort engine", __FILE__, __LINE__);
    });
}

} // namespace crx
