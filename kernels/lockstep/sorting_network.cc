#include "kernels/lockstep/sorting_network.hh"

#include "kernels/base/vector_clones.hh"

#include <bit>

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx::lockstep {
namespace {

CRX_VECTOR_CLONES void exchange_all(std::pair<std::int16_t, std::int16_t> const* first,
                                    std::pair<std::int16_t, std::int16_t> const* last, Row* keys)
{
    for (; first != last; ++first) {
        auto const a = keys[first->first].at, b = keys[first->second].at;
        keys[first->first].at = smaller(a, b);
        keys[first->second].at = larger(a, b);
    }
}

} // namespace

SortingNetwork::SortingNetwork(int n)
{
    if (n < 2) return;
    auto const top = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / 2;
    for (auto p = top; p > 0; p /= 2) {
        auto q = top, r = 0, d = p;
        for (;;) {
            for (int i = 0; i < n - d; ++i)
                if ((i & p) == r) exchanges_.emplace_back(i, i + d);
            if (q == p) break;
            d = q - p;
            q /= 2;
            r = p;
        }
    }
}

void SortingNetwork::sort(Row* keys) const
{
    exchange_all(exchanges_.data(), exchanges_.data() + exchanges_.size(), keys);
}

} // namespace crx::lockstep
