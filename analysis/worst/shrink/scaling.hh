#pragma once

#include "analysis/worst/search/objective.hh"

#include <string_view>
#include <vector>

namespace crx::worst {

/// Families that begin with an instance; k is 1 there.
enum class Family
{
    lengths, ///< M, all lengths and arrivals times k
    crowd,   ///< k of each request, one after the other, and k M
    queue,   ///< k of each request, and the same M
};
inline constexpr std::string_view family_names[] = {"M and lengths", "n and M", "n"};

OwnedInstance member_of(Family family, OwnedInstance const& instance, std::int32_t k);

/// What becomes of the ratio along a family.
enum class Trend
{
    grows,
    settles,
    falls,
    vanishes, ///< less than a quarter of what is above 1 is left
};
inline constexpr std::string_view trend_names[] = {"grows", "settles", "falls", "vanishes"};

/// By the values at k = 1, 2, 4, 8: two that differ by less than a fiftieth are the same.
Trend trend_of(std::vector<double> const& values);

struct FamilyReport
{
    Family family = {};
    /// At k = 1, 2, 4, 8: the ratio over the best schedule known, so over opt the truth is not
    /// below. Shorter where the policy does not finish or numbers become too large.
    std::vector<double> values;
    std::vector<bool> proven;   ///< whether it is the truth
    Trend trend = Trend::falls; ///< of all four values
};

/// The three families. `seconds` is what the search for one optimum may take.
std::vector<FamilyReport> scale(Objective const& objective, OwnedInstance const& instance,
                                double seconds, std::function<bool()> const& stop = {});

} // namespace crx::worst
