#include "analysis/bounds/a_ell.hh"

#include "analysis/bounds/a_min_two_point.hh"
#include "analysis/bounds/domain.hh"

#include <cmath>

namespace crx::bounds {

double a_ell_two_point(TwoPointShape const& shape, double t)
{
    require_shape(shape);
    require(t >= 0 && std::isfinite(t), "t", t, "a finite number, at least 0");
    double const ab = shape.a * shape.b;
    return 1 + ab * (t + 2) / (ab * t * t + 2 * ab * t + 1);
}

double a_ell_two_point_supremum(TwoPointShape const& shape)
{
    require_shape(shape);
    double const g = shape.g();
    return g <= 0.5 ? 1 + g / (2 * (1 - g)) : 1 + 2 * g * g;
}

double a_ell_two_point_argmax(TwoPointShape const& shape)
{
    require_shape(shape);
    double const g = shape.g();
    return g <= 0.5 ? 1 / g - 2 : 0;
}

double a_ell_a_min_crossing(double s_over_u)
{
    // A_l - A_min is negative as alpha -> 0 (1 + O(g) against 1 + sqrt(b/a)/2) and 2 at alpha = 1.
    double below = 1e-12;
    double above = 1;
    while (above - below > 1e-15 * above) {
        double const alpha = (below + above) / 2;
        auto const shape = shape_of_alpha(alpha, s_over_u);
        if (a_ell_two_point_supremum(shape) < a_min_two_point_supremum(shape))
            below = alpha;
        else
            above = alpha;
        if (alpha == below && alpha == above) break;
    }
    return (below + above) / 2;
}

} // namespace crx::bounds
