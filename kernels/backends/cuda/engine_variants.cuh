#pragma once

#include "kernels/backends/cell.hh"
#include "kernels/backends/cuda/autotune.cuh"
#include "kernels/backends/cuda/device_cohort_batches.cuh"
#include "kernels/backends/cuda/device_cohorts.cuh"
#include "kernels/backends/cuda/device_requests.cuh"
#include "kernels/backends/cuda/device_warps.cuh"

#include <algorithm>
#include <memory>

namespace crx {

/// The ways to run a policy request by request on instances of this workload. An instance that does
/// not fit a warp's lanes is left to a thread (`repair`).
inline std::vector<EngineVariant<Outcome>>
request_variants(PolicySpec const& spec, WorkloadView const& workload, bool repair)
{
    std::vector<EngineVariant<Outcome>> variants{
        {"thread", 1,
         [spec](Batch const& batch, Outcome* outcome) { launch_policy(spec, batch, outcome); }}};
    if (has_warp_variant(spec, workload))
        variants.push_back({"warp", 32, [spec, repair](Batch const& batch, Outcome* outcome) {
                                launch_by_warps(spec, batch, outcome);
                                if (repair) launch_policy(spec, batch, outcome, Slots::unknown);
                            }});
    return variants;
}

/// The ways to compute the volume bound.
inline std::vector<EngineVariant<std::int64_t>> volume_variants(bool repair)
{
    return {
        {"thread", 1, [](Batch const& batch, std::int64_t* bound) { bound_volume(batch, bound); }},
        {"warp", 32, [repair](Batch const& batch, std::int64_t* bound) {
             bound_volume_by_warps(batch, bound);
             if (repair) bound_volume(batch, bound, Slots::unknown);
         }}};
}

/// Cell::device_variant for warps without threads that run what warps leave: where all instances
/// fit their lanes the outcomes are right none the less.
inline constexpr char const* warps_alone = "warp alone";

/// What the cell asks of variants.
inline VariantChoice variant_choice(Cell const& cell)
{
    bool const each = cell.device_variant == "each";
    if (each) return {"", true};
    return {cell.device_variant == warps_alone ? "warp" : cell.device_variant, false};
}

inline char const* id_of(PolicySpec const& spec)
{
    return std::ranges::find(policy_table, spec.kind, &PolicyInfo::kind)->id;
}

/// outcome[slot]: the policy's, on the requests written, by the variant that the cell asks for.
inline void run_requests(Cell const& cell, PolicySpec const& spec, Batch const& batch,
                         Outcome* outcome)
{
    run_fastest(request_variants(spec, batch.workload, cell.device_variant != warps_alone),
                variant_choice(cell), view_of(cell.workload), id_of(spec), batch, outcome);
}

/// The ways to run a policy by cohorts on instances of this workload; `host`: with its tables
/// there. An instance is a thread's in both.
inline std::vector<EngineVariant<Outcome>> cohort_variants(PolicySpec const& spec,
                                                           WorkloadView const& host)
{
    std::vector<EngineVariant<Outcome>> variants{
        {"thread", 1,
         [spec](Batch const& batch, Outcome* outcome) { launch_cohorts(spec, batch, outcome); }}};
    if (std::shared_ptr<DeviceCohortLanes const> const lanes =
            DeviceCohortLanes::serving(spec, host))
        variants.push_back({"lanes", 1, [lanes](Batch const& batch, Outcome* outcome) {
                                lanes->execute(batch, outcome);
                            }});
    return variants;
}

/// outcome[slot]: the policy's, by cohorts, likewise.
inline void run_cohorts(Cell const& cell, PolicySpec const& spec, Batch const& batch,
                        Outcome* outcome)
{
    auto const host = view_of(cell.workload);
    run_fastest(cohort_variants(spec, host), variant_choice(cell), host,
                std::string(id_of(spec)) + " by cohorts", batch, outcome);
}

/// bound[slot]: the volume bound for the requests written, likewise.
inline void run_volume(Cell const& cell, Batch const& batch, std::int64_t* bound)
{
    run_fastest(volume_variants(cell.device_variant != warps_alone), variant_choice(cell),
                view_of(cell.workload), "volume bound", batch, bound);
}

} // namespace crx
