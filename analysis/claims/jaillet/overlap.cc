#include "analysis/baseline/schedule.hh"
#include "analysis/claims/jaillet/claims.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"

namespace crx::claims {
namespace {

// (0, 2) twice in M = 3: peaks 2 + 2 do not fit together, starts 0 and 1 do.
Fresh test(Stated const& stated)
{
    Trial trial(stated);
    auto const memory = 3 * stated.bound_percent / 100; // 2 where it is stated too low
    auto instance = at_zero(memory, {known(0, 2), known(0, 2)});
    trial.expect(!baseline::schedule_fault(instance, {0, 1}).has_value());
    trial.expect(baseline::schedule_fault(instance, {0, 0}).has_value());
    trial.expect(total_latency("mc-sf", instance) == 5);
    return trial.verdict(Verdict::holds);
}

} // namespace

Claim jaillet_overlap()
{
    return {
        .id = "J-A2",
        .paper = Paper::jaillet,
        .place = "Appendix A.2",
        .statement = "Two growing requests can overlap though their peaks do not fit together.",
        .hypotheses = {},
        .method = Method::identity,
        .verdict = Verdict::holds,
        .evidence = "(0, 2) twice in M = 3: starts 0 and 1 fit, 0 and 0 do not.",
        .command = "crx claims J-A2 --run",
        .page = "docs/findings/counterexamples.md",
        .test = test,
    };
}

} // namespace crx::claims
