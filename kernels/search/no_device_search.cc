// Stands in for device_search.cu in a build without CUDA.
#ifndef CRX_HAVE_CUDA

#include "kernels/backends/cell.hh"
#include "kernels/search/search_batch.hh"

#include <stdexcept>

namespace crx::search {

std::vector<FoundOrder> search_orders_device(std::vector<OwnedInstance> const&, Effort const&)
{
    throw std::runtime_error("no CUDA device: " + find_device().reason);
}

} // namespace crx::search

#endif
