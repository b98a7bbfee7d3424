// Stands in for device_paths.cu in a build without CUDA.
#ifndef CRX_HAVE_CUDA

#include "kernels/backends/cuda/device_paths.hh"

#include <stdexcept>

namespace crx {

std::vector<std::vector<IterationTally>> launch_paths_device(IterationCell const&, std::int64_t,
                                                             std::int64_t, StopCondition const&)
{
    throw std::runtime_error("no CUDA device: " + find_device().reason);
}

} // namespace crx

#endif
