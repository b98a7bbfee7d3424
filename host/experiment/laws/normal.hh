#pragma once

#include "analysis/laws/clipped_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

inline LawShape normal(LengthRole role)
{
    return {.id = "normal",
            .meaning = "truncated to an integer, then clipped",
            .fields = {{"mean", {}},
                       {"deviation", positive_numbers()},
                       {"lower", lengths_in_table(role)},
                       {"upper", lengths_in_table(role)}},
            .least = lower,
            .largest = upper,
            .tabulate =
                [](LawValues const& v) {
                    return normal_law(v.at("mean"), v.at("deviation"), lower(v), upper(v));
                },
            .instead = {{"variance", "deviation is its square root"},
                        {"sigma", "its name here is deviation"}}};
}

} // namespace crx::laws
