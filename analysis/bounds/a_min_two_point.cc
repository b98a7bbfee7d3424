#include "analysis/bounds/a_min_two_point.hh"

#include "analysis/bounds/domain.hh"

#include <cmath>

namespace crx::bounds {

double a_min_two_point_as_printed(double alpha)
{
    require(alpha > 0 && alpha <= 1, "alpha", alpha, "in (0, 1]");
    return (3 - alpha) / 2;
}

double a_min_two_point(TwoPointShape const& shape, double t)
{
    require_shape(shape);
    require(t >= 0 && std::isfinite(t), "t", t, "a finite number, at least 0");
    double const ab = shape.a * shape.b;
    return 1 + shape.b * (1 - ab) * t / (ab * t * t + 2 * ab * t + 1);
}

double a_min_two_point_supremum(TwoPointShape const& shape)
{
    require_shape(shape);
    return 1 + (std::sqrt(shape.b / shape.a) - shape.b) / 2;
}

double a_min_two_point_argmax(TwoPointShape const& shape)
{
    require_shape(shape);
    return 1 / shape.g();
}

} // namespace crx::bounds
