#pragma once

#include "analysis/adversary/grouped_run.hh"

#include <optional>
#include <string_view>

namespace crx {

/// A family of instances of two groups of equal requests, one instance for each memory M = root^2,
/// all at 0: those of WANG Theorems 1 and EC.1 as printed, and corrected ones
/// (docs/errata.md#wang-theorem-1: the printed totals hold 3 M^1.25 and M^1.75 / 2 where the
/// printed counts make 3 M^2 and M^2.5 / 2, so the printed families have a bounded ratio).
struct WangFamily
{
    std::string_view id;
    std::string_view groups;    ///< what they hold, for people
    std::string_view hurts;     ///< id of the policy of the theorem
    std::int64_t root_is_power; ///< root must be a whole number to this power
    std::int64_t least_root;
    double coefficient, exponent; ///< coefficient M^exponent: of the ratio, ...
    bool of_theorem;              ///< ... the bound that the theorem claims, else the leading term
    std::vector<RequestGroup> (*make)(std::int64_t root);
};

inline constexpr std::int64_t most_family_root = 10'000; ///< M <= 10^8

/// Every family.
std::vector<WangFamily> const& wang_families();
WangFamily const* find_wang_family(std::string_view id);

} // namespace crx
