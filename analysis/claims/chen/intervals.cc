#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/composition.hh"

#include <fmt/format.h>

namespace crx::claims {
namespace {

// All outputs 50, known to lie in [26, 50] or in [1, 50]: knowing more costs reading 2.
Fresh test(Stated const& stated)
{
    auto const wide = simulate_readings(one_length(1, 50, 50, 10'000, 30), 6);
    auto const fine = simulate_readings(one_length(26, 50, 50, 10'000, 30), 6);
    auto const tail = simulate_readings(worst_of_lemma_4_6(1, 64, 0, 1'600, 30), 4);
    auto const worse = fine[2].low() * stated.bound_percent / 100 > wide[2].high();
    return {worse ? Verdict::broken : Verdict::holds,
            fmt::format("all outputs 50, known in [26, 50]: {}; in [1, 50]: {}; the tail in one "
                        "interval of 64: {}",
                        text(fine), text(wide), text(tail))};
}

} // namespace

Claim chen_corollary_4_10()
{
    return {
        .id = "C-4.10",
        .paper = Paper::chen,
        .place = "Corollary 4.10",
        .statement =
            "With disjoint intervals A_min's ratio is still O(log(1/a)), and no worse than "
            "with one interval.",
        .hypotheses = {{"M to infinity; u_j <= l_(j+1)"}},
        .reading = "\"No worse\" at the worst, or instance by instance.",
        .method = Method::simulation,
        .verdict = Verdict::broken,
        .evidence = "With all outputs in the first interval it is C-4.3. Finer is better at the "
                    "worst, not always: all outputs 50, reading 2, M = 100,000: 1.426 [1.412, "
                    "1.440] if known in [26, 50], 1.112 [1.093, 1.131] if in [1, 50].",
        .command = "crx sweep experiments/chen/chen_corollary_4_10.toml --set stop.instances=2 && "
                   "crx export "
                   "chen_corollary_4_10.db",
        .page = "docs/findings/finer_intervals.md",
        .witness = "chen_corollary_4_10.json",
        .test = test,
    };
}

} // namespace crx::claims
