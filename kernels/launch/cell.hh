#pragma once

#include "kernels/laws/workload.cuh"
#include "kernels/policies/policy_spec.cuh"
#include "kernels/tally/tally.cuh"

#include <string>

#include <vector>

namespace crx {

/// One point of a sweep: a workload law, the policies that meet each of its instances, and what
/// their total latency is divided by.
struct Cell
{
    Workload workload;
    std::vector<PolicySpec> policies;
    bool baseline[baseline_kinds] = {true, true}; ///< by BaselineKind

    bool wants(BaselineKind kind) const { return baseline[static_cast<int>(kind)]; }
};

/// A range of a cell's instances.
struct InstanceRange
{
    std::int64_t first = 0, count = 0;
};

/// Runs a range of instances on the CPU. Parallel inside (oneTBB) and safe to call from several
/// threads; the result does not depend on either.
Tally launch_host(Cell const& cell, InstanceRange range);

/// Runs a range of instances on the current CUDA device; the same integers as launch_host.
/// Throws std::runtime_error where there is no device or the program was built without CUDA.
Tally launch_device(Cell const& cell, InstanceRange range);

/// The accelerator launch_device would use; `name` is empty where there is none, and then `reason`
/// says why.
struct DeviceInfo
{
    std::string name;
    std::string reason;
};
DeviceInfo find_device();

} // namespace crx
