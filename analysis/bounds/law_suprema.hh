#pragma once

#include <cstdint>

namespace crx::bounds {

/// Largest ratio found over q, and the q of it.
struct LawSupremum
{
    double value;
    double q;
    bool at_limit; ///< true if the ratio still grows as q -> 1: the value is that limit
};

enum class Law
{
    geometric,
    linear_geometric
};

/// Supremum over q of the fluid ratio of A_min (Lemma 4.6) under a law with l = 1, prompts s and
/// no cut (u = infinity; a cut at u only lowers it in every case tried).
///
/// Found by a scan of 64 points a decade of 1-q down to 1e-3 and golden-section search around the
/// best; not a proof. At s = 0 it is the limit q -> 1: 10 - 12 ln 2 (geometric) or 14/9
/// (linear-geometric; proven there: 14 D - 9 N = (1-q)^2 (5-7q+18q^2-7q^3+5q^4)).
/// Error: below 1e-9 in the value for s <= 50, where the worst 1-q is above 1e-3.
/// Domain: 0 <= s <= 50. Throws std::domain_error.
LawSupremum law_supremum(Law law, double s);

} // namespace crx::bounds
