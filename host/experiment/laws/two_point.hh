#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

inline LawShape two_point(LengthRole role)
{
    auto const lengths = integers_in(role == LengthRole::output ? 1 : 0, longest_length);
    return {
        .id = "two-point",
        .meaning = "`lower` with probability `short_fraction`, else `upper`; exact: "
                   "round(`short_fraction` n) requests have `lower`, order random",
        .fields = {{"lower", lengths}, {"upper", lengths}, {"short_fraction", numbers_in(0, 1)}},
        .least = lower,
        .largest = upper,
        .tabulate =
            [](LawValues const& v) {
                return two_point_law(lower(v), upper(v), v.at("short_fraction"));
            },
        .other_fields = "; `counts` = `\"random\"` (as it is) or `\"exact\"`"};
}

} // namespace crx::laws
