#include "analysis/claims/wang/claims.hh"

namespace crx::claims {

std::vector<Claim> wang_claims()
{
    return {wang_theorem_1(),    wang_theorem_2(),    wang_fcfs(),           wang_example_1(),
            wang_example_2(),    wang_lemma_1(),      wang_theorem_3(),      wang_theorem_4(),
            wang_theorem_5(),    wang_lemma_2(),      wang_theorem_6(),      wang_theorem_7(),
            wang_theorem_8(),    wang_table_3(),      wang_approximations(), wang_figure_8(),
            wang_theorem_ec_1(), wang_theorem_ec_2(), wang_table_ec_1()};
}

} // namespace crx::claims
