#pragma once

#include "analysis/claims/claim.hh"

namespace crx::claims {

/// In the order of the paper.
std::vector<Claim> chen_claims();

Claim chen_example_3_2();
Claim chen_theorem_3_3();
Claim chen_theorem_3_4();
Claim chen_theorem_4_1();
Claim chen_theorem_4_2();
Claim chen_theorem_4_3();
Claim chen_lemma_4_4();
Claim chen_proposition_4_5();
Claim chen_lemma_4_6();
Claim chen_corollary_4_8();
Claim chen_lemma_4_9();
Claim chen_trace();
Claim chen_figure_1();
Claim chen_corollary_4_10();
Claim chen_theorem_5_1();
Claim chen_theorem_5_2();
Claim chen_geometric();
Claim chen_theorem_5_3();
Claim chen_lower_bound();
Claim chen_figure_5();
Claim chen_figure_6();
Claim chen_figure_7();
Claim chen_example_8_2();
Claim chen_proposition_8_4();
Claim chen_two_points_are_worst();
Claim chen_theorem_8_6_random();
Claim chen_lemma_8_8();
Claim chen_equation_12();

} // namespace crx::claims
