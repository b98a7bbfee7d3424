#include "analysis/bounds/two_point_bounds.hh"

#include "analysis/bounds/domain.hh"

#include <cmath>
#include <limits>

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

namespace {

void require_alpha(double alpha) { require(alpha > 0 && alpha <= 1, "alpha", alpha, "in (0, 1]"); }

} // namespace

double a_max_upper(double alpha)
{
    require_alpha(alpha);
    return (1 + 1 / alpha) / (2 * alpha);
}

double a_max_lower_as_printed(double alpha)
{
    require_alpha(alpha);
    return (1 + 1 / std::sqrt(alpha)) / (2 * alpha);
}

double a_max_construction(double alpha, double r)
{
    require_alpha(alpha);
    require(r >= 0 && std::isfinite(r), "r", r, "a finite number, at least 0");
    return (r + alpha) * (r + 1) / ((r * r + 2 * alpha * r + 1) * alpha);
}

double a_max_construction_supremum(double alpha)
{
    require_alpha(alpha);
    return (1 + (1 - alpha) / (2 * (1 + alpha + std::sqrt(2 + 2 * alpha)))) / alpha;
}

double a_max_construction_argmax(double alpha)
{
    require_alpha(alpha);
    return 1 + std::sqrt(2 + 2 * alpha);
}

double a_max_any_outputs(double l, double u, double s)
{
    require(l >= 1 && l <= 1e7 && l == std::floor(l), "l", l, "an integer from 1 to 1e7");
    require(u >= l && u <= 1e7 && u == std::floor(u), "u", u, "an integer from l to 1e7");
    require(s >= 0 && std::isfinite(s), "s", s, "a finite number, at least 0");
    double const B = l * s + l * (l + 1) / 2;
    double H = 0;
    for (double k = u; k > l; --k) H += 1 / (s + k);
    return 1 + (s + u) * (l + std::sqrt(l * l + B * H)) / (2 * B);
}

double a_max_any_outputs(double alpha)
{
    require_alpha(alpha);
    return 1 + (1 + std::sqrt(1 - std::log(alpha) / 2)) / alpha;
}

double a_max_dyadic(double alpha)
{
    require_alpha(alpha);
    double const K = std::floor(-std::log2(alpha));
    return std::exp2(K) * (1 + std::sqrt(1 + K / 3)) / 2;
}

double a_max_two_point(TwoPointShape const& shape, double t)
{
    require_shape(shape);
    require(t >= 0 && std::isfinite(t), "t", t, "a finite number, at least 0");
    double const ab = shape.a * shape.b;
    if (t > largest_to_square) { // divided by t^2, which would be infinite
        double const r = 1 / t;
        return (r + 1) * (r + shape.a) / (ab + 2 * ab * r + r * r);
    }
    return (1 + t) * (1 + shape.a * t) / (ab * t * t + 2 * ab * t + 1);
}

double a_max_two_point_argmax(TwoPointShape const& shape)
{
    require_shape(shape);
    auto const [a, b] = shape;
    if (a == 1) return std::numeric_limits<double>::infinity();
    double const square = a * b * (1 - a);
    double const half = a * (1 - b);
    double const rest = 1 + a - 2 * a * b;
    return (half + std::sqrt(half * half + square * rest)) / square;
}

double a_max_two_point_supremum(TwoPointShape const& shape)
{
    double const t = a_max_two_point_argmax(shape);
    return std::isfinite(t) ? a_max_two_point(shape, t) : 1;
}

} // namespace crx::bounds
