#pragma once

#include "analysis/claims/claim.hh"

namespace crx::claims {

/// In the order of the paper.
std::vector<Claim> ao_claims();

Claim ao_proposition_1();
Claim ao_proposition_2();
Claim ao_theorem_1();
Claim ao_proposition_3();
Claim ao_proposition_4();
Claim ao_worst_length();
Claim ao_proposition_5();
Claim ao_theorem_2();
Claim ao_figures();
Claim ao_theorem_3();
Claim ao_theorem_4();
Claim ao_lemma_1();
Claim ao_lemma_2();
Claim ao_lemma_6();
Claim ao_lemma_7();
Claim ao_kingman();
Claim ao_lemma_8();
Claim ao_lemma_9();

} // namespace crx::claims
