#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

inline LawShape linear_geometric(LengthRole)
{
    return {
        .id = "linear-geometric",
        .meaning = "P(k) ∝ k (1-q)^2 q^(k-1) on 1 .. `upper`",
        .fields = {{"q", numbers_in(0, 1)}, {"upper", integers_in(1, longest_table)}},
        .least = one,
        .largest = upper,
        .tabulate = [](LawValues const& v) { return linear_geometric_law(v.at("q"), upper(v)); },
        .instead = {{"p", "q is 1 - p"}}};
}

} // namespace crx::laws
