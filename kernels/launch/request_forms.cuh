#pragma once

#include "kernels/launch/cell.hh"
#include "kernels/launch/crossover.cuh"
#include "kernels/launch/device_requests.cuh"
#include "kernels/launch/device_warps.cuh"

namespace crx {

/// The ways to run a policy request by request on instances of this workload. An instance that does
/// not fit a warp's lanes is left to a thread.
inline std::vector<Form> request_forms(PolicySpec const& spec, WorkloadView const& workload)
{
    std::vector<Form> forms{{"thread", 1, [spec](Batch const& batch, Outcome* outcome) {
                                 launch_policy(spec, batch, outcome);
                             }}};
    if (has_warp_form(spec, workload))
        forms.push_back({"warp", 32, [spec](Batch const& batch, Outcome* outcome) {
                             launch_by_warps(spec, batch, outcome);
                             launch_policy(spec, batch, outcome, Slots::unknown);
                         }});
    return forms;
}

/// outcome[slot]: the policy's, on the requests written, by the form that the cell asks for.
inline void run_requests(Cell const& cell, PolicySpec const& spec, Batch const& batch,
                         Outcome* outcome)
{
    bool const each = cell.device_form == "each";
    run_fastest(request_forms(spec, batch.workload), {each ? "" : cell.device_form, each},
                view_of(cell.workload), spec, batch, outcome);
}

} // namespace crx
