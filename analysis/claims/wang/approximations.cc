#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"
#include "analysis/claims/wang/claims.hh"
#include "analysis/claims/wang/counted_selectors.hh"
#include "analysis/sorted_f/sorted_f.hh"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crx::claims {
namespace {

using namespace sorted_f;

struct Group
{
    std::int64_t count;
    std::int32_t prompt, output;
};

OwnedInstance instance_of(Tokens memory, std::vector<Group> const& groups)
{
    std::vector<Item> items;
    for (auto const& [count, prompt, output] : groups)
        items.insert(items.end(), static_cast<std::size_t>(count), known(prompt, output));
    return at_zero(memory, items);
}

/// Sorted-F's TEL over that of the schedule with the last group first, which is at least OPT.
double ratio(OwnedInstance const& instance, Settings const& settings, std::int64_t last)
{
    std::vector<std::size_t> order(instance.output.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::rotate(order, order.end() - last);
    auto const best = execute_in_order(instance, order).outcome.total_latency;
    auto const total = execute(instance, settings).value().outcome.total_latency;
    return static_cast<double>(total) / static_cast<double>(best);
}

// Families on which the ratio of swap, quantile and scaled grows: no constant holds.
Fresh test_5_2(Stated const& stated)
{
    Trial grows(stated);
    double swap = 0, quantile = 0, scaled = 0;
    for (auto const& [a, c] : {std::pair<std::int32_t, std::int64_t>{8, 4}, {32, 8}, {128, 16}}) {
        auto const next = ratio(
            instance_of(Tokens{a} * (a * a + a), {{a, a * a, a}, {c * (a - 1), a * a + a, 1}}),
            {Selector::swap, 0, 1, 0}, c * (a - 1));
        grows.expect(next > 1.5 * swap);
        swap = next;
    }
    for (std::int32_t const a : {8, 16, 32}) {
        std::int64_t const n = a * a;
        auto const next = ratio(
            instance_of(4 * n * n + 3 * n + a,
                        {{3 * n, 0, 1}, {a, 4 * a * a * a + 1 - a, a}, {n, 4 * a * a - 1, 1}}),
            {Selector::quantile, 0, 1, 7}, n);
        grows.expect(next > 1.5 * quantile);
        quantile = next;
    }
    for (std::int32_t const x : {8, 16}) {
        std::int64_t const memory = 8 * x * x, shorts = memory / 3;
        auto const next = ratio(instance_of(memory, {{8 * x, x * x - 1, 1}, {shorts, 1, 2}}),
                                {Selector::scaled, 5, 1, 0}, shorts);
        grows.expect(next > 1.5 * scaled);
        scaled = next;
    }
    return {grows.kept() ? Verdict::broken : Verdict::holds,
            fmt::format("ratios at least {:.2f} (swap), {:.2f} (quantile), {:.2f} (scaled), each "
                        "larger by half than the member before",
                        swap, quantile, scaled)};
}

/// s and o uniform on 1 .. 50, as WANG EC.4.2.
SortedItems uniform_items(std::size_t n)
{
    std::mt19937_64 rng(n);
    SortedItems items;
    for (std::size_t i = 0; i < n; ++i)
        items.push_back({i, static_cast<std::int32_t>(1 + rng() % 50),
                         static_cast<std::int32_t>(1 + rng() % 50)});
    return items;
}

/// Exponent between two sizes, the larger `times` the smaller.
double exponent(std::int64_t small, std::int64_t large, double times)
{
    return std::log(static_cast<double>(large) / static_cast<double>(small)) / std::log(times);
}

Fresh test_table_3(Stated const& stated)
{
    Trial exact(stated);
    for (std::size_t const n : {120, 480})
        for (Tokens const memory : {100, 200})
            exact.at_most({counted_table(uniform_items(n), memory, 1, true).operations, 1},
                          {static_cast<std::int64_t>(n * n) * memory, 1});
    auto const scaled = [](std::size_t n) {
        return counted_table(uniform_items(n), 2'000, 100, false).operations;
    };
    auto const swap = [](std::int32_t n) {
        return counted_swap(descending_items(n), Tokens{n} * n).operations;
    };
    auto const quantile = [](std::size_t n) { return counted_quantile_sorts(uniform_items(n)); };
    auto const of_scaled = exponent(scaled(100), scaled(400), 4),
               of_swap = exponent(swap(64), swap(128), 2),
               of_quantile = exponent(quantile(1'000), quantile(64'000), 64);
    auto const figures = fmt::format("exact: {}; exponent of n {:.3f} (scaled), {:.3f} (swap, on a "
                                     "family), {:.3f} (quantile, by its sorts)",
                                     exact.figures(), of_scaled, of_swap, of_quantile);
    if (!exact.kept()) return {Verdict::broken, figures};
    auto const more = of_scaled > 1.9 && of_swap > 2.8 && of_quantile > 1.05;
    return {more ? Verdict::broken_as_printed : Verdict::holds, figures};
}

} // namespace

Claim wang_approximations()
{
    return {
        .id = "W-5.2",
        .paper = Paper::wang,
        .place = "Section 5.2 to 5.4",
        .statement = "The scaled selector has F <= (1+eps) F*, and swap and quantile approach the "
                     "optimum's efficiency.",
        .hypotheses = {{"requests small against M, as Theorem 3 assumes"}},
        .reading = "Scaled: the batch must truly fit (Algorithm 3 rounds sizes down).",
        .method = Method::closed_form,
        .verdict = Verdict::broken,
        .evidence = "No constant ratio on families of small requests: at least 8.22 (swap, growing "
                    "like M^(1/6)), 7.35 (quantile, M^(1/4)), 4.99 (scaled, M^(1/4)). Scaled's F "
                    "can be M/(6K) times the least.",
        .command = "crx claims W-5.2 --run",
        .page = "docs/findings/sorted-f.md",
        .witness = "wang_swap.json",
        .test = test_5_2,
    };
}

Claim wang_table_3()
{
    return {
        .id = "W-T3",
        .paper = Paper::wang,
        .place = "Table 3",
        .statement = "A batch costs O(n^2 M) (exact), O(n B/eps) (scaled), O(n^2) (swap), O(n) "
                     "(quantile).",
        .hypotheses = {{"Algorithms 2 to 5 as printed, innermost loops counted"}},
        .method = Method::search,
        .verdict = Verdict::broken_as_printed,
        .evidence = "Exact holds (0.6 % of n^2 M at n = 960). Scaled takes n^2 B/eps, its loop "
                    "over k is missing; swap n^3/16 on a family; quantile sorts, n log n.",
        .command = "crx claims W-T3 --run",
        .page = "docs/findings/sorted-f.md",
        .test = test_table_3,
    };
}

} // namespace crx::claims
