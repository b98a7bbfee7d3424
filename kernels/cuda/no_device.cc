
// Stands in for the CUDA side in a build without it.
#ifndef CRX_HAVE_CUDA

#include "kernels/cuda/device_checks.cuh"
#include "kernels/cuda/device_paths.hh"
#include "kernels/cuda/gpu_times.hh"
#include "kernels/engines/cell.hh"

#include <stdexcept>

namespace crx {
namespace {

[[noreturn]] void throw_no_device()
{
    throw std::runtime_error("no CUDA device: " + find_device().reason);
}

} // namespace

void choose_device(int) {}

DeviceInfo find_device() { return {"", "built without the CUDA toolkit"}; }

LaunchedParts launch_device(std::span<LaunchPart const>, StopCondition const&)
{
    throw_no_device();
}

std::vector<std::vector<IterationTally>> launch_paths_device(IterationCell const&, std::int64_t,
                                                             std::int64_t, StopCondition const&)
{
    throw_no_device();
}

std::vector<CheckedDraw> checked_draws_device(std::uint64_t, std::int64_t, std::int64_t)
{
    throw_no_device();
}
void break_contract_on_device() { throw_no_device(); }

void measure_gpu_times(bool) {}
GpuTimes gpu_times() { return {}; }

} // namespace crx

#endif
