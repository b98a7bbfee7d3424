#include "analysis/laws/tabulate.hh"

#include "kernels/base/host_device.cuh"
#include "kernels/base/integers.cuh"

#include <limits>

namespace crx {

namespace {

/// 2^64 f to the nearest integer, halves up; 0 <= f <= 1.
Unsigned128 scaled(Real const& f)
{
    Real const nearest = floor(ldexp(f, 64) + Real(0.5));
    Real const half_range = ldexp(Real(1), 63);
    if (nearest < half_range) return nearest.convert_to<std::uint64_t>();
    // In two halves: 2^64 itself is not a 64-bit number.
    return (Unsigned128{1} << 63) + Real(nearest - half_range).convert_to<std::uint64_t>();
}

} // namespace

TabulatedLaw tabulate_cumulative(std::vector<std::int32_t> const& value,
                                 std::vector<Real> const& cumulative)
{
    CRX_EXPECT(!value.empty() && value.size() == cumulative.size());
    Real const total = cumulative.back();
    CRX_EXPECT(total > 0 && isfinite(total));
    TabulatedLaw law;
    Unsigned128 before = 0;
    for (std::size_t k = 0; k < value.size(); ++k) {
        CRX_EXPECT(k == 0 || (value[k] > value[k - 1] && cumulative[k] >= cumulative[k - 1]));
        auto const threshold = scaled(cumulative[k] / total);
        if (threshold == before) continue;
        before = threshold;
        law.value.push_back(value[k]);
        auto const most = std::numeric_limits<std::uint64_t>::max();
        law.threshold.push_back(threshold > most ? most : static_cast<std::uint64_t>(threshold));
    }
    return law;
}

TabulatedLaw tabulate_masses(std::vector<std::int32_t> const& value, std::vector<Real> const& mass)
{
    std::vector<Real> cumulative;
    cumulative.reserve(mass.size());
    Real sum = 0;
    for (auto const& m : mass) {
        CRX_EXPECT(m >= 0);
        sum += m;
        cumulative.push_back(sum);
    }
    return tabulate_cumulative(value, cumulative);
}

} // namespace crx
