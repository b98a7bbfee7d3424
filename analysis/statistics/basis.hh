#pragma once

#include "analysis/statistics/estimate.hh"
#include "kernels/model/tally.cuh"

#include <string>
#include <string_view>

namespace crx {

/// An interval that rests on fewer different values than this is marked.
inline constexpr std::int64_t least_different = 10;

/// What the interval of a mean rests on. The normal approximation takes many values that differ
/// and none that carries much of the variance: where a few rare instances carry the mean, an
/// interval of 95 % holds it less often (docs/store.md, What an interval rests on).
struct Basis
{
    std::int64_t count = 0; ///< values in the mean
    /// Of them, least_different for that many or more; none where it is not known.
    std::optional<std::int64_t> different;
    std::optional<std::int64_t> off_mode; ///< that differ from the most frequent one
    /// At most this share of the sum of squared deviations is that of the five farthest values.
    std::optional<double> largest_five;

    bool all_equal() const { return count > 1 && different == 1; }
    /// Whether the interval is to be marked.
    bool is_few() const { return count > 1 && different && *different < least_different; }
};

/// Of a policy's ratios over one baseline.
///
/// One value and two are told exactly, by the sums; more by the bins of the histogram, 1/1024 of a
/// value wide. Where values fill all of the few bins between the smallest and the largest, they are
/// too close to be told apart, and count as many. The five farthest are taken at the far ends of
/// their bins, within what occurred, so their share is no larger.
Basis basis_of(PolicyTally const& tally, BaselineKind baseline);

/// Of `count` values of which the mean alone is known, and whether they are equal.
Basis basis_of(std::int64_t count, Estimate const& mean);

/// Whether a policy of that id is its own denominator, so that the ratio is 1 by definition.
inline constexpr bool divides_itself(std::string_view policy, BaselineKind kind)
{
    return policy == "mc-sf" && (kind == BaselineKind::h_sf || kind == BaselineKind::mc_sf);
}

/// An interval as it is shown: none without a width, as equal values say nothing of their spread.
inline bool has_width(Estimate const& mean) { return mean.half_width && *mean.half_width > 0; }
inline std::optional<double> shown_low(Estimate const& mean)
{
    return has_width(mean) ? mean.low() : std::nullopt;
}
inline std::optional<double> shown_high(Estimate const& mean)
{
    return has_width(mean) ? mean.high() : std::nullopt;
}

/// At most this share of the variance may be that of the farthest five where a cell stops early:
/// of values of two kinds there are then twenty-five of the rarer kind (docs/store.md, When a cell
/// has enough).
inline constexpr double largest_five_at_stop = 0.2;

/// The share of the five that are farthest from the mean in the sum of squared deviations from it;
/// none where all are equal.
std::optional<double> largest_five_of(std::vector<double> const& values);

/// "all 20 equal", "20 instances, 3 different values, 2 not the most frequent", and so on.
std::string to_text(Basis const& basis);

} // namespace crx
