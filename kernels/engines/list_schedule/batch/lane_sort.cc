// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

#include "kernels/engines/list_schedule/batch/lane_sort.hh"

#include "kernels/simd/vector_clones.hh"

namespace crx::mc_sf_batch {
namespace {

CRX_VECTOR_CLONES void exchange_all(Exchange const* first, Exchange const* last, Row* rows)
{
    for (; first != last; ++first) {
        auto const a = rows[first->low].at, b = rows[first->high].at;
        rows[first->low].at = smaller(a, b);
        rows[first->high].at = larger(a, b);
    }
}

} // namespace

void sort_lanes(std::span<Exchange const> exchanges, Row* rows)
{
    exchange_all(exchanges.data(), exchanges.data() + exchanges.size(), rows);
}

} // namespace crx::mc_sf_batch
