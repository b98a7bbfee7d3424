#pragma once

#include "analysis/laws/discrete_laws.hh"
#include "host/experiment/workload/law_shape.hh"

namespace crx::laws {

inline LawShape binomial(LengthRole role)
{
    return {.id = "binomial",
            .meaning = "successes + `shift`, which is 1 where left out (0 for prompts)",
            .fields = {{"trials", integers_in(0, longest_table)},
                       {"probability", numbers_in(0, 1)},
                       {"shift", lengths_in_table(role), role == LengthRole::output ? 1 : 0}},
            .least = [](LawValues const& v) { return whole(v, "shift"); },
            .largest = [](LawValues const& v) { return whole(v, "shift") + whole(v, "trials"); },
            .tabulate =
                [](LawValues const& v) {
                    return binomial_law(whole(v, "trials"), v.at("probability"), whole(v, "shift"));
                },
            .instead = {{"n", "its name here is trials"}, {"p", "its name here is probability"}}};
}

} // namespace crx::laws
