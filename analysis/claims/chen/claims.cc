#include "analysis/claims/chen/claims.hh"

namespace crx::claims {

std::vector<Claim> chen_claims()
{
    return {chen_example_3_2(),
            chen_theorem_3_3(),
            chen_theorem_3_4(),
            chen_theorem_4_1(),
            chen_theorem_4_2(),
            chen_theorem_4_3(),
            chen_lemma_4_4(),
            chen_proposition_4_5(),
            chen_lemma_4_6(),
            chen_corollary_4_8(),
            chen_lemma_4_9(),
            chen_trace(),
            chen_figure_1(),
            chen_corollary_4_10(),
            chen_theorem_5_1(),
            chen_theorem_5_2(),
            chen_geometric(),
            chen_theorem_5_3(),
            chen_lower_bound(),
            chen_figure_5(),
            chen_figure_6(),
            chen_figure_7(),
            chen_example_8_2(),
            chen_proposition_8_4(),
            chen_two_points_are_worst(),
            chen_theorem_8_6_random(),
            chen_lemma_8_8(),
            chen_equation_12()};
}

} // namespace crx::claims
