#include "analysis/claims/ao/claims.hh"

namespace crx::claims {

std::vector<Claim> ao_claims()
{
    return {ao_proposition_1(), ao_proposition_2(), ao_theorem_1(),     ao_proposition_3(),
            ao_proposition_4(), ao_worst_length(),  ao_proposition_5(), ao_theorem_2(),
            ao_figures(),       ao_theorem_3(),     ao_theorem_4(),     ao_lemma_1(),
            ao_lemma_2(),       ao_lemma_6(),       ao_lemma_7(),       ao_kingman(),
            ao_lemma_8(),       ao_lemma_9()};
}

} // namespace crx::claims
