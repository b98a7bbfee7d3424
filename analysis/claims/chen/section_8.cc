#include "analysis/bounds/lemma_4_6.hh"
#include "analysis/bounds/two_point_bounds.hh"
#include "analysis/claims/chen/claims.hh"
#include "analysis/claims/tools/composition.hh"
#include "analysis/spectrum/dominant.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crx::claims {
namespace {

/// A statement `left <= right` of two means that an exhibit breaks; stated a hundredth lower it is
/// broken all the more, and at 150 % it would stand.
Fresh broken_if_above(Stated const& stated, Quotient left, Quotient right)
{
    Trial trial(stated);
    trial.at_most(left, right);
    return {trial.kept() ? Verdict::holds : Verdict::broken,
            fmt::format("{:.6g} against at most {:.6g}", left.value(), right.value())};
}

Fresh test_8_4(Stated const& stated)
{
    auto const less_memory = at_zero(3, {known(1, 1), known(1, 1)});
    auto whole = less_memory;
    whole.memory = 4;
    return broken_if_above(stated, {total_latency("mc-sf", less_memory), 1},
                           {4 * total_latency("mc-sf", whole), 3});
}

Fresh test_8_8(Stated const& stated)
{
    auto instance = at_zero(14, {{1, 4, 4, 8}, {1, 4, 4, 8}});
    auto const most = mean_over_orders("a-max", instance);
    instance.memory = 7;
    return broken_if_above(stated, most, mean_over_orders("a-random", instance));
}

Fresh test_12(Stated const& stated)
{
    auto instance = at_zero(12, {{3, 3, 3, 4}, {3, 3, 3, 4}});
    auto const whole = mean_over_orders("a-random", instance);
    instance.memory = 9;
    return broken_if_above(stated, mean_over_orders("a-random", instance),
                           {4 * whole.num, 3 * whole.den});
}

Fresh test_8_6_random(Stated const& stated)
{
    auto const bound = bounds::a_random_as_printed(0.64) * stated.bound_percent / 100;
    double twice = 0, tenfold = 0, low = 0;
    for (double const odds : {0.1, 0.2, 0.25, 0.3, 0.4, 1.}) {
        auto const at_2u = simulate(policy("a-random"), two_point(32, 50, 100, 100, odds), 8);
        if (at_2u.ratio.mean > twice) twice = at_2u.ratio.mean, low = at_2u.low();
        tenfold = std::max(
            tenfold, simulate(policy("a-random"), two_point(32, 50, 500, 100, odds), 2).ratio.mean);
    }
    auto const figures =
        fmt::format("bound {:.4f}; M = 2u: {:.4f}; M = 10u: {:.4f}", bound, twice, tenfold);
    if (tenfold > bound) return {Verdict::broken, figures};
    return {low > bound ? Verdict::open : Verdict::holds, figures};
}

// By CHEN's own Lemma 4.6: the supremum over compositions of 1..100 is an eigenvalue, certified;
// that over {1, 100} is a closed form. And A_random on three lengths, by exhaustion over all ends.
Fresh test_8_6_two_points(Stated const& stated)
{
    auto const rho = spectrum::solve_dominant({1, 100, 0}).lower;
    auto const two = (3 - 0.01) / 2 * 100 / stated.bound_percent;
    auto const instance = at_zero(5, {{1, 2, 1, 4}, {1, 4, 1, 4}});
    auto const ratio = [](OwnedInstance const& i) {
        auto const mean = mean_over_orders("a-random", i);
        return Quotient{mean.num, mean.den * total_latency("mc-sf", i)};
    };
    Quotient ends{0, 1};
    for (int k = 0; k < 4; ++k) {
        auto one = instance;
        one.output = {(k & 1) != 0 ? 4 : 1, (k & 2) != 0 ? 4 : 1};
        ends = less(ends, ratio(one)) ? ratio(one) : ends;
    }
    auto const here = ratio(instance);
    auto const broken = rho > two && less(ends, here);
    auto const threes = simulate_readings(one_length(1, 50, 3, 5'000, 30), 2);
    return {broken ? Verdict::broken : Verdict::holds,
            fmt::format("Lemma 4.6 on 1..100: at least {:.4f}, on two lengths at most {:.4f}; "
                        "A_random, outputs 2 and 4: {}/{}, with outputs 1 and 4 at most {}/{}; "
                        "A_min, all outputs 3 in [1, 50]: {}",
                        rho, two, here.num, here.den, ends.num, ends.den, text(threes))};
}

} // namespace

Claim chen_proposition_8_4()
{
    return {
        .id = "C-8.4",
        .paper = Paper::chen,
        .place = "Proposition 8.4",
        .statement = "Of two schedules in the same order, optimally packed, the one with memory "
                     "beta M has at most 1/beta times the TEL of the one with M.",
        .hypotheses = {{"corresponding order (Definition 8.1), optimally packed (8.3)"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken,
        .evidence = "Two requests (1, 1): 3 at M = 3, 2 at M = 4, and 3 > 2/(3/4). It stays where "
                    "lengths grow like M, not at fixed lengths.",
        .command = "crx claims C-8.4 --run",
        .page = "docs/findings/counterexamples.md",
        .witness = "chen_proposition_8_4.json",
        .test = test_8_4,
    };
}

Claim chen_lemma_8_8()
{
    return {
        .id = "C-8.8",
        .paper = Paper::chen,
        .place = "Lemma 8.8",
        .statement = "E TEL(A_max) <= E TEL(A_random with memory alpha M).",
        .hypotheses = {{"all at 0, common interval, alpha = l/u"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken,
        .evidence = "Two requests (1, 4) known in [4, 8]: 12 at M = 14 against 11 at M = 7. At "
                    "fixed lengths never for large M.",
        .command = "crx sweep experiments/chen/chen_lemma_8_8.toml && crx export chen_lemma_8_8.db",
        .page = "docs/findings/counterexamples.md",
        .witness = "chen_lemma_8_8.json",
        .test = test_8_8,
    };
}

Claim chen_equation_12()
{
    return {
        .id = "C-12",
        .paper = Paper::chen,
        .place = "Equation (12)",
        .statement = "E TEL(A_random with memory alpha M) <= E TEL(A_random)/alpha.",
        .hypotheses = {{"all at 0, alpha = l/u"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken,
        .evidence = "Two requests (3, 3) known in [3, 4]: 9 at M = 9 against 6/(3/4) = 8 at M = "
                    "12.",
        .command = "crx claims C-12 --run",
        .page = "docs/findings/counterexamples.md",
        .witness = "chen_equation_12.json",
        .test = test_12,
    };
}

Claim chen_two_points_are_worst()
{
    return {
        .id = "C-8.6a",
        .paper = Paper::chen,
        .place = "Theorem 8.6, first part (10)",
        .statement = "For every policy the worst outputs are l or u each.",
        .hypotheses = {{"outputs in [l, u]^n"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken,
        .evidence = "By Lemma 4.6 the supremum on 1..100 is 2.3333 (certified), on {1, 100} below "
                    "1.5. A_random: 17/14 with outputs 2, 4 in [1, 4], 1 with ends alone. A_min in "
                    "reading 2, every M: 1.539 [1.538, 1.539] with all outputs 3 in [1, 50], 1.252 "
                    "[1.248, 1.257] on two points; not where exceeding is learnt.",
        .command = "crx spectrum --u 100 && crx bounds chen-5.1 --alpha 0.01",
        .page = "docs/findings/counterexamples.md",
        .witness = "chen_theorem_8_6_a_random.json",
        .test = test_8_6_two_points,
    };
}

Claim chen_theorem_8_6_random()
{
    return {
        .id = "C-8.6b",
        .paper = Paper::chen,
        .place = "Theorem 8.6, second part (11)",
        .statement = "A_random's ratio is at most (1 + 1/a)/2 + O(1/M).",
        .hypotheses = {{"M to infinity, alpha = l/u"}},
        .reading = "M to infinity at fixed u, or u in proportion to M.",
        .method = Method::search,
        .verdict = Verdict::open,
        .evidence = "At M = 2u broken: 1.428 [1.422, 1.434] against 1.281 (alpha = 0.64, s = 0). "
                    "At fixed u never.",
        .command = "crx sweep experiments/chen/chen_theorem_8_6_random.toml && crx export "
                   "chen_theorem_8_6_random.db",
        .page = "docs/findings/counterexamples.md",
        .test = test_8_6_random,
    };
}

} // namespace crx::claims
