#pragma once

#include "analysis/claims/claim.hh"

namespace crx::claims {

/// In the order of the paper.
std::vector<Claim> jaillet_claims();

Claim jaillet_theorem_4_1();
Claim jaillet_proposition_4_2();
Claim jaillet_equal_prompts();
Claim jaillet_identical_requests();
Claim jaillet_lemma_b_1();
Claim jaillet_model_1();
Claim jaillet_model_2();
Claim jaillet_slopes();
Claim jaillet_thresholds();
Claim jaillet_timelines();
Claim jaillet_overlap();
Claim jaillet_table_1();

} // namespace crx::claims
