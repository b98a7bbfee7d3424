#include "analysis/bounds/domain.hh"

#include <cmath>

namespace crx::bounds {

double TwoPointShape::g() const { return std::sqrt(a * b); }

TwoPointShape shape_of_lengths(double l, double u, double s)
{
    require(l >= 1 && std::isfinite(l), "l", l, "a finite number, at least 1");
    require(u >= l && std::isfinite(u), "u", u, "a finite number, at least l");
    require(s >= 0 && std::isfinite(s), "s", s, "a finite number, at least 0");
    return {l / u, (s + l) / (s + u)};
}

TwoPointShape shape_of_alpha(double alpha, double s_over_u)
{
    require(alpha > 0 && alpha <= 1, "alpha", alpha, "in (0, 1]");
    require(s_over_u >= 0 && std::isfinite(s_over_u), "s/u", s_over_u,
            "a finite number, at least 0");
    return {alpha, (s_over_u + alpha) / (s_over_u + 1)};
}

void require_shape(TwoPointShape const& shape)
{
    require(shape.a > 0 && shape.a <= 1, "a = l/u", shape.a, "in (0, 1]");
    require(shape.b >= shape.a && shape.b <= 1, "b = (s+l)/(s+u)", shape.b, "in [l/u, 1]");
}

double odds_of_fraction(double w)
{
    require(w >= 0 && w < 1, "w", w, "in [0, 1)");
    return w / (1 - w);
}

} // namespace crx::bounds
