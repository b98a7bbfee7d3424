#include "analysis/laws/gamma_gaps.hh"

#include "analysis/laws/discrete_laws.hh"
#include "kernels/base/host_device.cuh"

namespace crx {

namespace {

constexpr int cells_an_octave = 32;
constexpr int first_octave = -44, last_octave = 13; ///< no gap of a word is longer than 2^13

/// The incomplete gamma function times e^x / x^shape.
Real series(Real const& shape, Real const& x)
{
    Real term = 1 / shape, sum = term;
    for (int n = 1; term > sum * Real(0x1p-110); ++n) {
        term *= x / (shape + n);
        sum += term;
    }
    return sum;
}

TabulatedGaps tabulated(double variation)
{
    Real const shape = 1 / (Real(variation) * variation);
    // Beyond 150 no shape up to 16 leaves as much as 2^-100.
    Real const far = 150;
    Real const whole = pow(far, shape) * exp(-far) * series(shape, far);
    Real const step = pow(Real(2), Real(1) / cells_an_octave);
    Real const power_step = pow(step, shape);
    Real end = ldexp(Real(1), first_octave);
    Real power = pow(shape * end, shape);
    TabulatedGaps gaps;
    for (int k = first_octave * cells_an_octave; k <= last_octave * cells_an_octave; ++k) {
        Real const x = shape * end;
        Real const below = x < far ? power * exp(-x) * series(shape, x) / whole : Real(1);
        gaps.end.push_back(static_cast<std::uint64_t>(ldexp(end, 48) + Real(0.5)));
        Real const scaled = ldexp(below, 64);
        bool const last = scaled >= ldexp(Real(1), 64) - 1;
        gaps.threshold.push_back(last ? UINT64_MAX : static_cast<std::uint64_t>(scaled));
        if (last) break;
        end *= step;
        power *= power_step;
    }
    gaps.threshold.back() = UINT64_MAX;
    return gaps;
}

} // namespace

TabulatedGaps gamma_gaps(double variation)
{
    CRX_EXPECT(variation >= least_variation && variation <= most_variation);
    // A table takes a tenth of a second, and cells of a sweep mostly have the same.
    thread_local double known = 0;
    thread_local TabulatedGaps gaps;
    if (known != variation) gaps = tabulated(variation);
    known = variation;
    return gaps;
}

} // namespace crx
