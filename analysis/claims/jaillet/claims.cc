#include "analysis/claims/jaillet/claims.hh"

namespace crx::claims {

std::vector<Claim> jaillet_claims()
{
    return {jaillet_theorem_4_1(),
            jaillet_proposition_4_2(),
            jaillet_equal_prompts(),
            jaillet_lemma_b_1(),
            jaillet_identical_requests(),
            jaillet_model_1(),
            jaillet_model_2(),
            jaillet_slopes(),
            jaillet_thresholds(),
            jaillet_timelines(),
            jaillet_overlap(),
            jaillet_table_1()};
}

} // namespace crx::claims
