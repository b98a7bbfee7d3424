#include "kernels/backends/cuda/device_cohorts.cuh"

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
template <PolicyKind kind>
struct ExecuteCohortSlot
{
    /// Engines that draw spill otherwise (scripts/kernel_resources).
    static constexpr bool wide = kind != PolicyKind::mc_sf;
    Batch batch;
    LadderLevels levels;
    Outcome* outcome;
    CRX_HD void operator()(std::int64_t slot) const
    {
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        outcome[slot] =
            execute_by_cohorts({kind, levels}, batch.workload, batch.counts_of(slot),
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
    auto const run = [&]<PolicyKind kind>() {
        run_by_engine_slots(batch, [&](Batch const& part, std::int64_t from) {
            launch(part.count, ExecuteCohortSlot<kind>{part, spec.levels, outcome + from});
        });
    };
    switch (spec.kind) {
    case PolicyKind::mc_sf:
    case PolicyKind::mc_sf_total: return run.template operator()<PolicyKind::mc_sf>();
    case PolicyKind::a_random: return run.template operator()<PolicyKind::a_random>();
    case PolicyKind::a_max: return run.template operator()<PolicyKind::a_max>();
    case PolicyKind::a_min: return run.template operator()<PolicyKind::a_min>();
    case PolicyKind::a_min_evict: return run.template operator()<PolicyKind::a_min_evict>();
    case PolicyKind::a_ell: return run.template operator()<PolicyKind::a_ell>();
    case PolicyKind::a_ladder: return run.template operator()<PolicyKind::a_ladder>();
    default: contract_violated("a policy with a cohort engine", __FILE__, __LINE__);
    }
}

} // namespace crx
