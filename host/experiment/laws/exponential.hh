#pragma once

#include "analysis/laws/clipped_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

inline LawShape exponential(LengthRole role)
{
    return {
        .id = "exponential",
        .meaning = "truncated to an integer, then clipped",
        .fields = {{"scale", positive_numbers(), {}, "the mean"},
                   {"lower", lengths_in_table(role)},
                   {"upper", lengths_in_table(role)}},
        .least = lower,
        .largest = upper,
        .tabulate =
            [](LawValues const& v) { return exponential_law(v.at("scale"), lower(v), upper(v)); },
        .instead = {{"mean", "scale is the mean"}, {"rate", "scale is 1 / rate"}}};
}

} // namespace crx::laws
