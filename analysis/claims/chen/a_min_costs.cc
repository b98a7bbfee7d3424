#include "analysis/claims/chen/claims.hh"

namespace crx::claims {

Claim chen_theorem_4_1()
{
    return {
        .id = "C-4.1",
        .paper = Paper::chen,
        .place = "Theorem 4.1, section 4; appendix 11",
        .statement = "A_min takes O(M log M) operations.",
        .hypotheses = {{"reading 1, equal prompts, who waits is kept in order of its bound"}},
        .reading = "Per round. The proof sorts \"the available prompts\" each round and takes them "
                   "to be O(M), but n of them wait.",
        .method = Method::proof,
        .verdict = Verdict::broken_as_printed,
        .evidence = "A sort of n that wait is not bounded by M. Kept in order, at most 4 M H_M + "
                    "M (log2 M + 6) operations a round, cancellations included (proof); exponents "
                    "of the costliest round 1.08, 1.02 and 1.14 on three loads. Insertions into "
                    "the waiting classes are not counted.",
        .command = "build/release/tests/counted_min_test --gtest_filter='Counted*'",
        .page = "docs/findings.md",
    };
}

} // namespace crx::claims
