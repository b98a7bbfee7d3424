#include "kernels/backends/cuda/device_requests.cuh"

#include "kernels/backends/cuda/launch_device.cuh"
#include "kernels/engines/cohorts/execute_cohort.cuh"
#include "kernels/engines/cohorts/volume_by_class.cuh"
#include "kernels/laws/draw_counts.cuh"

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
    CRX_HD void operator()(std::int64_t slot) const
    {
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        outcome[slot] =
            execute_policy_by_cohorts(policy, batch.workload, batch.counts_of(slot),
                                      static_cast<std::uint64_t>(batch.first + slot), arena, {});
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
        run_by_engine_slots(batch, [&](Batch const& part, std::int64_t from) {
            launch(part.count, ExecuteCohortSlot<std::remove_cvref_t<decltype(policy)>>{
                                   part, policy, outcome + from});
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
