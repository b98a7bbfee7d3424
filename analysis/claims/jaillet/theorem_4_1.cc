#include "analysis/adversary/theorem_4_1.hh"
#include "analysis/claims/jaillet/claims.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"

#include <fmt/format.h>

namespace crx::claims {
namespace {

// TEL is the derived sum, to the last token, for four policies; and so the ratio is at least
// (11/120) sqrt(M).
Fresh test(Stated const& stated)
{
    Trial trial(stated);
    for (auto const* id : {"mc-sf", "mc-sf-total", "mc-benchmark", "a-max"})
        for (std::int64_t const k : {2, 3, 10, 50, 250, 1000}) {
            auto const run = play_theorem_4_1(policy(id), k, ToldLengths::exact);
            trial.expect(run.total_latency == theorem_4_1_latency(k));
            // (11/120) sqrt(M) = (11/60) k <= TEL/OPT
            trial.at_most(Quotient{11 * k, 60}, {run.total_latency, run.opt_upper_bound});
        }
    return trial.verdict(Verdict::sharpened);
}

} // namespace

Claim jaillet_theorem_4_1()
{
    return {
        .id = "J-4.1",
        .paper = Paper::jaillet,
        .place = "Theorem 4.1",
        .statement = "Every deterministic algorithm has a competitive ratio of at least Omega(sqrt "
                     "n), on the proof's adaptive instance at least sqrt(M)/28.",
        .hypotheses = {{"the policy never cancels"}, {"M = 4 k^2"}},
        .method = Method::proof,
        .verdict = Verdict::sharpened,
        .evidence = "At least (11/120) sqrt(M) (proof); four policies have (11/120) sqrt(M) (1 + "
                    "5.245/sqrt(M) + ..) up to M = 10^8.",
        .command = "crx instance adaptive",
        .page = "docs/proofs/adaptive_instance.md",
        .test = test,
    };
}

} // namespace crx::claims
