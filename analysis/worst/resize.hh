#pragma once

#include "analysis/worst/annealing.hh"

#include <string_view>

namespace crx::worst {

/// Makes what was found smaller while its value stays at least `share` times what it is: requests,
/// then M, then tokens and arrivals, as long as any one of these steps can be taken:
///
/// - a request is left out;
/// - M, all lengths together, or one length (those of all requests at once too) becomes its least,
///   a half, or one less;
/// - two requests change places where that makes the list of (arrival, prompt, output, lower,
///   upper) lexicographically less.
///
/// The result is a member of the class that none of these steps can change, and settled. Ends soon
/// after stop() says true, with what it has. Contract: 0 < share <= 1; `found` is a member.
Found shrink(InstanceClass const& of, Objective const& objective, Found const& found, double share,
             std::function<bool()> const& stop = {});

/// Families that begin with an instance; k is 1 there.
enum class Family
{
    lengths, ///< M, all lengths and arrivals times k
    crowd,   ///< k of each request, one after the other, and k M
    queue,   ///< k of each request, and the same M
};
inline constexpr std::string_view family_names[] = {"M and lengths", "n and M", "n"};

OwnedInstance member_of(Family family, OwnedInstance const& instance, std::int32_t k);

/// How the ratio changes along a family.
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
