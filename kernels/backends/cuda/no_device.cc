// Stands in for device_launcher.cu in a build without CUDA.
#ifndef CRX_HAVE_CUDA

#include "kernels/backends/cell.hh"

#include <stdexcept>

namespace crx {

DeviceInfo find_device() { return {"", "built without the CUDA toolkit"}; }

Tally launch_device(Cell const&, InstanceRange)
{
    throw std::runtime_error("no CUDA device: " + find_device().reason);
}

} // namespace crx

#endif
