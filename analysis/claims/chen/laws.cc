#include "analysis/bounds/geometric.hh"
#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/composition.hh"
#include "analysis/laws/discrete_laws.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

/// P(k) ~ k^power q^(k-1), k = 1 .. 50, as counts.
Composition geometric(double q, int power, Tokens memory, std::int64_t load)
{
    Composition c{1, 50, 0, memory, {}, {}};
    std::vector<double> weights;
    for (int k = 1; k <= 50; ++k) {
        c.length.push_back(k);
        weights.push_back(std::pow(q, k - 1) * std::pow(k, power));
    }
    c.count = largest_remainder(load * memory, weights);
    return c;
}

Fresh test_geometric(Stated const& stated)
{
    auto const bound = 1.7 * stated.bound_percent / 100;
    auto const large = simulate_readings(geometric(0.8, 0, 800, 30), 4);
    auto const small = simulate_readings(geometric(0.7, 0, 200, 100), 4);
    double closed = 0;
    for (int k = 0; k <= 1'000; ++k)
        closed = std::max(closed, bounds::geometric_ratio_unbounded(k / 1'000.));
    auto const with_prompts = bounds::law_supremum(bounds::Law::geometric, 1).value;
    auto const broken = large[0].low() > bound && closed < bound && with_prompts > bound;
    return {broken ? Verdict::broken : Verdict::holds,
            fmt::format("closed form at most {:.6f} at s = 0, {:.6f} at s = 1; simulated, q = 0.8, "
                        "M = 800: {}; q = 0.7, M = 200: {}",
                        closed, with_prompts, text(large), text(small))};
}

// 14 D - 9 N is a polynomial that is not negative on [0, 1]; the simulation of reading 2 is above.
Fresh test_5_3(Stated const& stated)
{
    Trial trial(stated);
    for (int k = 0; k <= 1'000; ++k)
        trial.at_most(bounds::linear_geometric_ratio_unbounded(k / 1'000.), 14. / 9, 1e-14);
    auto const closed_form_holds = trial.kept();
    auto const bound = 14. / 9;
    auto const runs = simulate_readings(geometric(0.5, 1, 800, 30), 4);
    auto const figures =
        fmt::format("{}; simulated, q = 0.5, M = 800: {}", trial.figures(), text(runs));
    if (!closed_form_holds) return {Verdict::broken, figures};
    return {runs[2].low() > bound ? Verdict::broken_as_printed : Verdict::holds, figures};
}

} // namespace

Claim chen_geometric()
{
    return {
        .id = "C-G",
        .paper = Paper::chen,
        .place = "Section 5.2, Figure 3 (left)",
        .statement = "Under geometric outputs A_min's ratio is bounded by 1.7.",
        .hypotheses = {{"P(k) = p q^(k-1) on 1..u"}},
        .reading = "Read off a plot. The fluid limit, and A_min.",
        .method = Method::closed_form,
        .verdict = Verdict::broken,
        .evidence = "Fluid, s = 0, u infinite: 1.682234 (computer-assisted proof); prompt 1: "
                    "1.715553. A_min: 1.908 [1.894, 1.922] in reading 1 (q = 0.8, M = 800), 1.712 "
                    "[1.709, 1.716] in reading 2 (q = 0.7, M = 200; exceeded: 1.535).",
        .command = "crx bounds --suprema && crx sweep experiments/chen/chen_geometric_q.toml",
        .page = "docs/proofs/geometric.md",
        .witness = "chen_geometric.json",
        .test = test_geometric,
    };
}

Claim chen_theorem_5_3()
{
    return {
        .id = "C-5.3",
        .paper = Paper::chen,
        .place = "Theorem 5.3",
        .statement =
            "Under linearly weighted geometric outputs A_min's ratio is the printed closed "
            "form, at most 14/9.",
        .hypotheses = {{"u and M to infinity"}, {"s = 0, which the proof sets"}},
        .reading = "The fluid limit, and A_min.",
        .method = Method::closed_form,
        .verdict = Verdict::broken_as_printed,
        .evidence = "A theorem of the fluid limit at s = 0; false from s = 1 on (1.570808). A_min "
                    "at q = 0.5: reading 1 1.550 [1.545, 1.554], reading 2 1.662 [1.659, 1.664], "
                    "exceeded 1.465 [1.461, 1.469].",
        .command = "crx sweep experiments/chen/chen_linear_geometric_q.toml && crx panels "
                   "chen_linear_geometric_q.db",
        .page = "docs/findings/geometric.md",
        .witness = "chen_theorem_5_3.json",
        .test = test_5_3,
    };
}

} // namespace crx::claims
