#pragma once

#include "analysis/claims/claim.hh"

namespace crx::claims {

/// In the order of the paper.
std::vector<Claim> wang_claims();

Claim wang_example_1();
Claim wang_example_2();
Claim wang_theorem_1();
Claim wang_theorem_ec_1();
Claim wang_fcfs();
Claim wang_theorem_2();
Claim wang_theorem_ec_2();
Claim wang_lemma_1();
Claim wang_lemma_2();
Claim wang_theorem_3();
Claim wang_theorem_4();
Claim wang_theorem_5();
Claim wang_theorem_6();
Claim wang_theorem_7();
Claim wang_theorem_8();
Claim wang_approximations();
Claim wang_table_3();
Claim wang_figure_8();
Claim wang_table_ec_1();

} // namespace crx::claims
