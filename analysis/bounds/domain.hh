#pragma once

#include <fmt/core.h>
#include <stdexcept>

namespace crx::bounds {

/// Above it, products of two such numbers may pass what a double holds.
inline constexpr double largest_to_square = 1e150;

/// Refuses an argument outside a formula's domain with a message that names it and what is
/// accepted. Write `inside` positively (`x > 0 && x <= 1`), so that NaN is refused as well.
inline void require(bool inside, char const* name, double value, char const* accepted)
{
    if (!inside)
        throw std::domain_error(
            fmt::format("{} = {} is not accepted: must be {}", name, value, accepted));
}

/// All that the fluid ratio of a two-point instance knows of l, u and s.
///
/// A request of output k and prompt s takes k rounds and s+k tokens at its peak, so an instance
/// with lengths l and u only enters through the ratios of these (docs/model.md#closed-forms).
struct TwoPointShape
{
    double a; ///< l/u, the ratio of durations, in (0, 1]; the papers' alpha
    double b; ///< (s+l)/(s+u), the ratio of peak memory, in [a, 1]; equals a at s = 0

    /// sqrt(ab): the geometric mean of both ratios, 1/g is the worst x_l/x_u of A_min.
    double g() const;
};

/// Shape of lengths l <= u with prompts s. Domain: 1 <= l <= u, s >= 0, all finite; real numbers
/// are accepted because fluid ratios are. Throws std::domain_error.
TwoPointShape shape_of_lengths(double l, double u, double s);

/// Shape of alpha = l/u with prompts s = s_over_u * u. Domain: 0 < alpha <= 1, s_over_u >= 0.
/// Throws std::domain_error.
TwoPointShape shape_of_alpha(double alpha, double s_over_u = 0);

/// Refuses a shape that no l, u, s has. Throws std::domain_error.
void require_shape(TwoPointShape const& shape);

/// x_l / x_u for a fraction w of short requests. Domain: 0 <= w < 1. Throws std::domain_error.
double odds_of_fraction(double w);

} // namespace crx::bounds
