#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

inline LawShape uniform(LengthRole role)
{
    return {.id = "uniform",
            .meaning = "each integer",
            .fields = {{"lower", lengths_in_table(role)}, {"upper", lengths_in_table(role)}},
            .least = lower,
            .largest = upper,
            .tabulate = [](LawValues const& v) { return uniform_law(lower(v), upper(v)); }};
}

} // namespace crx::laws
