#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/composition.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

// Where every output is u the picture's ratio is 1 and reading 1 comes to it; where l = 1 and the
// two lengths are 1 and 50 it does not.
Fresh test(Stated const& stated)
{
    auto const all_long = simulate_readings(one_length(22, 50, 50, 100'000, 30), 2);
    auto const mixed = two_point(1, 50, 1'600, 30, 50);
    auto const runs = simulate_readings(mixed, 4);
    auto const tail = worst_of_lemma_4_6(1, 64, 0, 6'400, 30);
    auto const on_tail = simulate_readings(tail, 2);
    auto const far = [&](std::size_t reading) {
        return on_tail[reading].low() > 2 * fluid_ratio(tail) * stated.bound_percent / 100;
    };
    return {far(0) && far(1) ? Verdict::broken : Verdict::holds,
            fmt::format(
                "tail 1/(2k-1), u = 64, where the picture has {:.4f}: {}; two lengths 1, 50 "
                "({:.4f}): {}; all outputs 50, l = 22, M = 10^5 (1): {}",
                fluid_ratio(tail), text(on_tail), fluid_ratio(mixed), text(runs), text(all_long))};
}

} // namespace

Claim chen_lemma_4_6()
{
    return {
        .id = "C-4.6",
        .paper = Paper::chen,
        .place = "Lemma 4.6",
        .statement = "A_min's TEL over H-SF's is the closed form num/den, with an error of O(1/M).",
        .hypotheses = {{"M and n/M to infinity"}},
        .reading = "The fluid limit: M/(s+k) requests in step.",
        .method = Method::simulation,
        .verdict = Verdict::broken,
        .evidence = "Reading 1 comes near it where every output is u (0.9997 of it at M = 10^6), "
                    "but has 4.664 [4.663, 4.664] against 1.49 for outputs 1 and 50. Reading 2 "
                    "stays at 1.384 [1.379, 1.390] where all outputs are u, l = 22.",
        .command =
            "crx sweep experiments/chen/chen_fluid_limit.toml && crx panels chen_fluid_limit.db",
        .page = "docs/findings/a_min_two_lengths.md",
        .witness = "chen_theorem_5_1.json",
        .test = test,
    };
}

} // namespace crx::claims
