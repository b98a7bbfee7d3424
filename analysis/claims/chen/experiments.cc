#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"

namespace crx::claims {
namespace {

// (1,1), (1,3), (1,1), (1,3) in M = 5: H-SF 13, order of arrival 12, which is the optimum.
Fresh test_h_sf(Stated const& stated)
{
    Trial trial(stated);
    auto const instance = at_zero(5, {known(1, 1), known(1, 3), known(1, 1), known(1, 3)});
    trial.at_most({total_latency("mc-sf", instance), 1},
                  {total_latency("mc-benchmark", instance), 1});
    auto const optimum = proven_optimum(instance);
    return {trial.kept() || optimum != 12 ? Verdict::holds : Verdict::broken,
            "H-SF 13, order of arrival 12, the proven optimum 12"};
}

} // namespace

Claim chen_lower_bound()
{
    return {
        .id = "C-6",
        .paper = Paper::chen,
        .place = "Section 6",
        .statement = "H-SF \"serves as a lower bound\" for every policy.",
        .hypotheses = {{"all at 0, lengths known"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken,
        .evidence =
            "Four requests: H-SF 13, order of arrival 12, the proven optimum. None of three "
            "was found. At large scale A_max reaches 0.865, A_random 0.875, A_min 0.845 of "
            "it: so a ratio to H-SF is no competitive ratio.",
        .command = "crx baseline --instance docs/findings/counterexamples/h_sf_beaten.csv "
                   "--memory 5",
        .page = "docs/findings.md",
        .witness = "h_sf_beaten.json",
        .test = test_h_sf,
    };
}

Claim chen_figure_5()
{
    return {
        .id = "C-E1",
        .paper = Paper::chen,
        .place = "Figure 5, section 6",
        .statement = "With [1, 1000] known A_min is nearly H-SF and A_max far from it.",
        .hypotheses = {{"2,000 conversations of LMSYS; M is not printed"}},
        .reading = "M: JAILLET's 16,492 on the same machine.",
        .method = Method::reproduction,
        .verdict = Verdict::open,
        .evidence =
            "At M = 16,492 A_min has 1.575 [1.555, 1.594] (reading 1) and 4.73 [4.63, 4.82] "
            "(reading 2) times H-SF, A_max 7.97 [7.88, 8.06]. Near M = 90,000 the sentence "
            "holds word for word: 1.018 and 1.023.",
        .command = "crx sweep experiments/chen_figure_5.toml && crx panels chen_figure_5.db",
        .page = "docs/findings.md",
    };
}

Claim chen_figure_6()
{
    return {
        .id = "C-E2",
        .paper = Paper::chen,
        .place = "Figure 6, section 6",
        .statement = "With buckets of 100 A_max's latency halves, and A_min is near H-SF.",
        .hypotheses = {{"as Figure 5"}},
        .reading = "M: as Figure 5.",
        .method = Method::reproduction,
        .verdict = Verdict::open,
        .evidence = "At M = 16,492 A_max falls to a seventh (166.9 to 24.3 s), A_min 1.051 [1.044, "
                    "1.059] (reading 1), 2.89 [2.85, 2.93] (reading 2). Near M = 90,000 38.7 to "
                    "18.1 s, and A_min 1.005 and 1.006.",
        .command = "crx sweep experiments/chen_figure_6.toml && crx panels chen_figure_6.db",
        .page = "docs/findings.md",
    };
}

Claim chen_figure_7()
{
    return {
        .id = "C-E3",
        .paper = Paper::chen,
        .place = "Figure 7, section 6",
        .statement = "With intervals relative to o, A_max deteriorates at x = 0.95 and 0.99 while "
                     "A_min stays near H-SF.",
        .hypotheses = {{"as Figure 5; l = max(1, floor((1-x) o)), u = ceil((1+x) o)"}},
        .reading = "\"Larger x is more precise\" is a slip.",
        .method = Method::reproduction,
        .verdict = Verdict::broken,
        .evidence = "A_max 21.7, 27.7, 28.0 s at x = 0.1, 0.95, 0.99; A_min 23.3, 34.0, 29.1 s "
                    "(reading 1), 30.9, 91.6, 101.4 s (reading 2); H-SF 21.2 s. A_max does "
                    "deteriorate; A_min is the worse of the two.",
        .command = "crx sweep experiments/chen_figure_7.toml && crx panels chen_figure_7.db",
        .page = "docs/findings.md",
    };
}

} // namespace crx::claims
