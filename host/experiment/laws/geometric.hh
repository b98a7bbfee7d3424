#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

inline LawShape geometric(LengthRole)
{
    return {.id = "geometric",
            .meaning = "P(k) ∝ (1-q) q^(k-1) on 1 .. `upper`; q = 1 is uniform",
            .fields = {{"q", numbers_in(0, 1)}, {"upper", integers_in(1, longest_table)}},
            .least = one,
            .largest = upper,
            .tabulate = [](LawValues const& v) { return geometric_law(v.at("q"), upper(v)); },
            .instead = {{"mean", "a mean of m needs q = 1 - 1 / m, and an upper far above m"},
                        {"p", "q is 1 - p"}}};
}

} // namespace crx::laws
