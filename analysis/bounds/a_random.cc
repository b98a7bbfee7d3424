#include "analysis/bounds/a_random.hh"

#include "analysis/bounds/domain.hh"
#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/spectrum/compensated_sum.hh"

#include <cmath>

namespace crx::bounds {

double a_random_as_printed(double alpha)
{
    require(alpha > 0 && alpha <= 1, "alpha", alpha, "in (0, 1]");
    return (1 + 1 / alpha) / 2;
}

double a_random_two_point(TwoPointShape const& shape, double t)
{
    require_shape(shape);
    require(t >= 0 && std::isfinite(t), "t", t, "a finite number, at least 0");
    double const ab = shape.a * shape.b;
    if (t > largest_to_square) { // divided by t^2, which would be infinite
        double const r = 1 / t;
        return (r + 1) * (r + ab) / (ab + 2 * ab * r + r * r);
    }
    return (1 + t) * (1 + ab * t) / (ab * t * t + 2 * ab * t + 1);
}

double a_random_two_point_supremum(TwoPointShape const& shape)
{
    require_shape(shape);
    return (1 + 1 / shape.g()) / 2;
}

double a_random_composition(std::span<double const> x, double l, double s)
{
    spectrum::CompensatedSum count;
    spectrum::CompensatedSum volume;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double const k = l + static_cast<double>(i);
        count.add(x[i]);
        volume.add(k * (s + k) * x[i]);
    }
    return count.value() * volume.value() / lemma_4_6(x, l, s).denominator;
}

} // namespace crx::bounds
