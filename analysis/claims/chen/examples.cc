#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"

namespace crx::claims {
namespace {

Fresh test_3_2(Stated const& stated)
{
    Trial trial(stated);
    auto const instance = at_zero(10, std::vector<Item>(5, {1, 1, 1, 4}));
    trial.expect(total_latency("mc-sf", instance) * 100 == 5 * stated.bound_percent);
    trial.expect(total_latency("a-max", instance) == 9);
    return trial.verdict(Verdict::holds);
}

Fresh test_8_2(Stated const& stated)
{
    Trial trial(stated);
    auto const instance = at_zero(7, {known(1, 1), known(1, 2), known(1, 3), known(1, 4)});
    auto const run = execute_single(policy("mc-sf"), instance, 1, 0);
    trial.expect(run.start == std::vector<Instant>{0, 0, 0, 2});
    trial.expect(proven_optimum(instance) * 100 == 12 * stated.bound_percent);
    return trial.verdict(Verdict::holds);
}

} // namespace

Claim chen_example_3_2()
{
    return {
        .id = "C-Ex3.2",
        .paper = Paper::chen,
        .place = "Example 3.2",
        .statement = "Five requests (1, 1), known to lie in [1, 4], M = 10: TEL is 5 under H-SF "
                     "and 9 under A_max.",
        .hypotheses = {},
        .method = Method::identity,
        .verdict = Verdict::holds,
        .evidence = "5 and 9.",
        .command = "crx claims C-Ex3.2 --run",
        .test = test_3_2,
    };
}

Claim chen_example_8_2()
{
    return {
        .id = "C-Ex8.2",
        .paper = Paper::chen,
        .place = "Example 8.2",
        .statement = "M = 7, s = 1, outputs 1, 2, 3, 4: starts 0, 0, 0, 2 are optimal.",
        .hypotheses = {},
        .method = Method::identity,
        .verdict = Verdict::holds,
        .evidence = "MC-SF starts so; its total of 12 is the proven optimum.",
        .command = "crx claims C-Ex8.2 --run",
        .page = "docs/findings/counterexamples.md",
        .test = test_8_2,
    };
}

} // namespace crx::claims
