#include "analysis/laws/largest_remainder.hh"

#include "analysis/laws/tabulate.hh"
#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <numeric>

namespace crx {

std::vector<std::int64_t> largest_remainder(std::int64_t n, std::vector<double> const& weights)
{
    CRX_EXPECT(n >= 0 && !weights.empty());
    // In 113 bits, so that equal remainders of whole weights compare equal.
    Real total = 0;
    for (double w : weights) {
        CRX_EXPECT(w >= 0);
        total += w;
    }
    CRX_EXPECT(total > 0 && isfinite(total));
    std::vector<std::int64_t> share;
    std::vector<Real> remainder; // times total
    std::int64_t given = 0;
    for (double w : weights) {
        Real const exact = n * Real(w);
        auto const whole = floor(exact / total).convert_to<std::int64_t>();
        share.push_back(whole);
        remainder.push_back(exact - whole * total);
        given += whole;
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return remainder[a] > remainder[b]; });
    for (std::size_t k = 0; given < n; ++k, ++given) ++share[order[k % order.size()]];
    CRX_ENSURE(given == n);
    return share;
}

} // namespace crx
