#pragma once

#include "analysis/laws/clipped_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

/// WANG's mixed data (EC.4).
inline LawShape mixed(LengthRole role)
{
    bool const output = role == LengthRole::output;
    return {.id = "mixed",
            .meaning = "WANG's mixed data: outputs exponential of mean 5 on 1 .. 50; prompts 80 % "
                       "exponential of mean 10, 20 % lognormal(ln 40, 0.25), draws above 50 "
                       "replaced by uniform ones on (40, 50)",
            .fields = {},
            .least = one,
            .largest = output ? [](LawValues const&) { return std::int32_t{50}; }
                              : [](LawValues const&) { return std::int32_t{49}; },
            .tabulate = output ? [](LawValues const&) { return exponential_law(5, 1, 50); }
                               : [](LawValues const&) { return mixed_prompt_law(); }};
}

} // namespace crx::laws
