#include "analysis/bounds/two_point_bounds.hh"
#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/composition.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

// M = u = 50, l = 32 (alpha = 0.64), r = 4: above the bound, and by scaling so for every M = u.
Fresh test_3_3(Stated const& stated)
{
    auto const bound = bounds::a_max_upper(0.64) * stated.bound_percent / 100;
    auto const at_u = simulate(policy("a-max"), two_point(32, 50, 50, 100, 4 / 0.64), 16);
    auto const larger = simulate(policy("a-max"), two_point(32, 50, 500, 100, 4 / 0.64), 8);
    auto const figures =
        fmt::format("bound {:.4f}; M = u: {}; M = 10 u: {}", bound, text(at_u), text(larger));
    if (larger.low() > bound) return {Verdict::broken, figures};
    return {at_u.low() > bound ? Verdict::open : Verdict::holds, figures};
}

// The proved upper bound is below the printed lower bound for small alpha, and runs keep it.
Fresh test_3_4(Stated const& stated)
{
    Trial trial(stated);
    for (double const alpha : {0.001, 0.01, 0.02, 0.04, 0.055})
        trial.at_most(bounds::a_max_any_outputs(alpha), bounds::a_max_lower_as_printed(alpha),
                      1e-3);
    auto const run = simulate(policy("a-max"), two_point(1, 50, 50, 200, 50), 8);
    auto const most = bounds::a_max_any_outputs(1, 50, 0);
    trial.expect(run.high() < most);
    // The dyadic lower bound is below the upper one, and a run of its outputs nears it.
    for (double const alpha : {0.25, 1. / 16, 1. / 64, 1. / 1024})
        trial.at_most(bounds::a_max_dyadic(alpha), bounds::a_max_any_outputs(alpha));
    auto const kept = trial.kept();
    return {kept ? Verdict::broken : Verdict::holds,
            trial.figures() + fmt::format("; two lengths 1, 50 at M = 50: {} where at most {:.1f} "
                                          "is proved and at least 201.8 printed",
                                          text(run), most)};
}

} // namespace

Claim chen_theorem_3_3()
{
    return {
        .id = "C-3.3",
        .paper = Paper::chen,
        .place = "Theorem 3.3",
        .statement = "A_max's ratio is at most (1/a)(1 + 1/a)/2 + O(1/M).",
        .hypotheses = {{"all at 0, common interval [l, u], a = l/u"}},
        .reading = "M grows at fixed l and u, or in proportion to u.",
        .method = Method::search,
        .verdict = Verdict::open,
        .evidence =
            "In proportion to u broken: 2.0707 [2.0690, 2.0724] against 2.0020 at M = u, alpha = "
            "0.64. At fixed l and u proved for alpha <= 0.24, open above, never broken.",
        .command =
            "crx sweep experiments/chen/chen_theorem_3_4.toml && crx panels chen_theorem_3_4.db",
        .page = "docs/proofs/a_max.md",
        .test = test_3_3,
    };
}

Claim chen_theorem_3_4()
{
    return {
        .id = "C-3.4",
        .paper = Paper::chen,
        .place = "Theorem 3.4",
        .statement = "A_max's ratio is at least (1/a)(1 + a^(-1/2))/2.",
        .hypotheses = {{"some outputs in [l, u]^n; the proof has M = l u, s = 0"}},
        .method = Method::proof,
        .verdict = Verdict::broken,
        .evidence =
            "No outputs exceed 1 + (1/a)(1 + sqrt(1 + ln(1/a)/2)) where u divides M (proof), below "
            "the printed value for a <= 0.055. The construction gives about 1.207/a.",
        .command = "crx bounds a-max-any-outputs a-max-dyadic chen-3.3 chen-3.4-printed "
                   "chen-3.4-corrected --alpha 0.02",
        .page = "docs/proofs/a_max.md",
        .test = test_3_4,
    };
}

} // namespace crx::claims
