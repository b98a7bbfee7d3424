#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/composition.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

/// sum_k k G_k / sum_k (2k - 1) G_k^2 with G_k = 1/(2k - 1), s = 0, l = 1: what the ratio of
/// reading 1 tends to as M and then n/M grow.
double limit_of_reading_1(int u)
{
    double above = 0, below = 0;
    for (int k = 1; k <= u; ++k) {
        above += k / (2. * k - 1);
        below += 1 / (2. * k - 1);
    }
    return above / below;
}

// Reading 1 is above H_u, the paper's own bound, and near its proved limit, whatever a cancellation
// teaches; nobody is cancelled.
Fresh test_4_3(Stated const& stated)
{
    auto const at = [](int u) {
        return simulate_readings(worst_of_lemma_4_6(1, u, 0, 100 * u, 30), 4);
    };
    auto const small = at(16), large = at(64);
    auto const harmonic = bounds::harmonic_number(64) * 100 / stated.bound_percent;
    auto const grows = [&](std::size_t reading) {
        return large[reading].low() > harmonic &&
               large[reading].low() > 2.5 * small[reading].high() &&
               large[reading].cancellations < 0.02;
    };
    return {grows(0) && grows(1) ? Verdict::broken : Verdict::holds,
            fmt::format("u = 64: {}, where H_64 = {:.3f}, the limit of reading 1 is {:.3f} and it "
                        "cancels {:.2g} a request; u = 16: {}",
                        text(large), bounds::harmonic_number(64), limit_of_reading_1(64),
                        large[0].cancellations, text(small))};
}

// A probe ladder stays near 2 where reading 1 does not, and 64/3 bounds it on any outputs.
Fresh test_4_2(Stated const& stated)
{
    auto const tail = worst_of_lemma_4_6(1, 64, 0, 6'400, 30);
    auto const ladder = simulate(policy("a-ladder", {1, 2, 4, 8, 16, 32, 64}), tail, 4);
    auto const readings = simulate_readings(tail, 4);
    auto const limit = limit_of_reading_1(256), bound = 64. / 3 * 100 / stated.bound_percent;
    auto const broken =
        limit > bound && ladder.high() < readings[0].low() && ladder.high() < readings[1].low();
    return {broken ? Verdict::broken : Verdict::holds,
            fmt::format("u = 64: ladder {}; A_min {}; reading 1 tends to {:.2f} at u = 256, the "
                        "ladder has at most {:.2f} on any outputs",
                        text(ladder), text(readings), limit, 64. / 3)};
}

/// Share of all requests that Proposition 4.5 deletes in the first period: 1 - l/j of length j, s =
/// 0.
double deleted_first(Composition const& c)
{
    double deleted = 0, requests = 0;
    for (std::size_t k = 0; k < c.length.size(); ++k) {
        auto const count = static_cast<double>(c.count[k]);
        deleted += count * (1 - static_cast<double>(c.lower) / c.length[k]);
        requests += count;
    }
    return deleted / requests;
}

// Cancellations a request in all periods against the deletions of the first one that (5) gives.
Fresh test_4_5(Stated const& stated)
{
    auto const tail = worst_of_lemma_4_6(1, 64, 0, 6'400, 30);
    auto const deleted = deleted_first(tail) * stated.bound_percent / 100.;
    auto const runs = simulate_readings(tail, 4);
    auto const broken =
        runs[0].cancellations < deleted / 10 && runs[1].cancellations < deleted / 10;
    return {broken ? Verdict::broken : Verdict::holds,
            fmt::format("a share of {:.3f} is to be deleted in the first period; in all periods "
                        "{:.4f}, {:.4f}, {:.2f}, {:.2f} a request are (readings 1, 1 exceeded, 2, "
                        "2 exceeded)",
                        deleted, runs[0].cancellations, runs[1].cancellations,
                        runs[2].cancellations, runs[3].cancellations)};
}

// All outputs u = 50: only period l has b_l,u = n, of which (s+l)/(s+u) are completed and the
// others deleted, once each at least.
Fresh test_4_4(Stated const& stated)
{
    std::string figures;
    bool broken = true;
    for (std::int32_t const l : {10, 22}) {
        auto const all_long = one_length(l, 50, 50, 20'000, 30);
        auto const deleted = deleted_first(all_long) * stated.bound_percent / 100.;
        auto const runs = simulate_readings(all_long, 2);
        for (auto const reading : {0, 1})
            broken = broken &&
                     std::abs(runs[static_cast<std::size_t>(reading)].cancellations / deleted - 1) >
                         0.05;
        figures +=
            fmt::format("{}l = {}: deleted at least {:.2f} a request by the lemma, cancelled "
                        "{:.2f}, {:.2f}, {:.2f}, {:.2f}",
                        figures.empty() ? "" : "; ", l, deleted, runs[0].cancellations,
                        runs[1].cancellations, runs[2].cancellations, runs[3].cancellations);
    }
    auto const tail = test_4_5(stated);
    return {broken && tail.verdict == Verdict::broken ? Verdict::broken : Verdict::holds,
            figures + "; on a tail, " + tail.figures};
}

} // namespace

Claim chen_theorem_4_2()
{
    return {
        .id = "C-4.2",
        .paper = Paper::chen,
        .place = "Theorem 4.2",
        .statement =
            "No policy that does not know the outputs has a smaller ratio than A_min as M grows.",
        .reading = "M/u grows first, then n/M.",
        .method = Method::proof,
        .verdict = Verdict::broken,
        .evidence = "A probe ladder 1, 2, 4, .., u has at most 64/3 on any outputs (proof); "
                    "reading 1 has 34.6 at u = 256. Reading 2 is not refuted: 2.25 at u = 64.",
        .command =
            "crx sweep experiments/chen/chen_theorem_4_2.toml && crx export chen_theorem_4_2.db",
        .page = "docs/proofs/probe_ladder.md",
        .test = test_4_2,
    };
}

Claim chen_theorem_4_3()
{
    return {
        .id = "C-4.3",
        .paper = Paper::chen,
        .place = "Theorem 4.3",
        .statement = "As M grows A_min's ratio is O(log(1/a)).",
        .reading = "M grows first, then n/M.",
        .method = Method::proof,
        .verdict = Verdict::broken,
        .evidence = "Reading 1 at l = 1 tends to u/(ln u + 1.963) + 1/2 (proof): 29.3 measured at "
                    "u = 256. In a large memory nothing is cancelled, so nothing is learnt. "
                    "Reading 2 is not refuted: 2.26.",
        .command =
            "crx sweep experiments/chen/chen_theorem_4_3.toml --set stop.instances=2 && crx plot "
            "chen_theorem_4_3.db",
        .page = "docs/proofs/learning.md",
        .witness = "chen_theorem_4_3.json",
        .test = test_4_3,
    };
}

Claim chen_lemma_4_4()
{
    return {
        .id = "C-4.4",
        .paper = Paper::chen,
        .place = "Lemma 4.4",
        .statement = "Of b_ij requests of length j in period i a share (s+i)/(s+j) is completed "
                     "and the rest deleted, in expectation.",
        .hypotheses = {{"M to infinity"}},
        .reading = "Given the b_ij that start in period i.",
        .method = Method::simulation,
        .verdict = Verdict::broken,
        .evidence = "With all outputs 50 and l = 10 the lemma deletes 0.80 a request in the first "
                    "period; 5.0 (reading 1; exceeded 3.1) and 110 (2; exceeded 104) are cancelled "
                    "in all at M = 20,000.",
        .command = "crx claims C-4.4 C-4.5 --run",
        .page = "docs/findings/learning.md",
        .test = test_4_4,
    };
}

Claim chen_proposition_4_5()
{
    return {
        .id = "C-4.5",
        .paper = Paper::chen,
        .place = "Proposition 4.5",
        .statement =
            "In the first period (s+l)/(s+j) of the requests of length j are completed, in "
            "each later one 1/(s+j) of them.",
        .hypotheses = {{"M to infinity"}},
        .method = Method::simulation,
        .verdict = Verdict::broken,
        .evidence =
            "At l = 1, u = 64 a share of 0.227 is to be deleted in the first period. Reading 1 "
            "cancels 2.8 10^-6 a request in all at M = 640,000, reading 2 27 (exceeded: 18).",
        .command =
            "crx sweep experiments/chen/chen_theorem_4_3.toml --set stop.instances=2 && crx export "
            "chen_theorem_4_3.db",
        .page = "docs/findings/learning.md",
        .test = test_4_5,
    };
}

} // namespace crx::claims
