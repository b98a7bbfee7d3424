#include "analysis/baseline/schedule.hh"
#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"
#include "analysis/claims/wang/claims.hh"
#include "analysis/sorted_f/transformed.hh"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crx::claims {
namespace {

using namespace sorted_f;

// One request (63, 1) and 21 of (1, 2), M = 64: 64 under MC-SF, 45 under Sorted-F, 45 optimal.
Fresh test_1(Stated const& stated)
{
    Trial trial(stated);
    std::vector<Item> items(22, known(1, 2));
    items.front() = known(63, 1);
    auto const instance = at_zero(64, items);
    trial.expect(total_latency("mc-sf", instance) == 64 * stated.bound_percent / 100);
    for (auto const selector :
         {Selector::exact, Selector::scaled, Selector::swap, Selector::quantile})
        trial.expect(execute(instance, {selector, 100, 1, 0}).value().outcome.total_latency == 45);
    trial.expect(proven_optimum(instance) == 45);
    return trial.verdict(Verdict::holds);
}

// All pairs of kinds that fill memory, M <= 24.
Fresh test_2(Stated const& stated)
{
    Trial trial(stated);
    int worse = 0;
    for (int memory = 1; memory <= 24; ++memory) {
        std::vector<Item> kinds;
        for (int size = 1; size <= memory; ++size)
            for (int o = 1; memory % size == 0 && o <= size; ++o)
                kinds.push_back(known(size - o, o));
        for (auto const& one : kinds)
            for (auto const& two : kinds) {
                auto const n1 = static_cast<std::size_t>(memory / (one.prompt + one.output));
                auto const n2 = static_cast<std::size_t>(memory / (two.prompt + two.output));
                auto const exchange = one.output * std::ssize(std::vector<int>(n2)) -
                                      two.output * std::ssize(std::vector<int>(n1));
                if (exchange >= 0) continue; // the first has the smaller F: o_1/n_1 < o_2/n_2
                std::vector<Item> items(n1, one);
                items.insert(items.end(), n2, two);
                auto const instance = at_zero(memory, items);
                std::vector<Batch> order{Batch(n1), Batch(n2)};
                std::iota(order[0].begin(), order[0].end(), std::size_t{0});
                std::iota(order[1].begin(), order[1].end(), n1);
                auto const total = [&] {
                    return baseline::total_latency(instance, separate_starts(instance, order));
                };
                auto const overlapping = [&] {
                    return execute_in_order(instance, order_of(order)).outcome.total_latency;
                };
                auto const first = total(), first_overlapping = overlapping();
                std::swap(order[0], order[1]);
                trial.at_most({first + 1, 1}, {total(), 1});
                worse += overlapping() < first_overlapping ? 1 : 0;
            }
    }
    auto fresh = trial.verdict(Verdict::broken_as_printed,
                               fmt::format("with overlap the other order is better in {}", worse));
    if (trial.kept() && worse == 0) fresh.verdict = Verdict::holds;
    return fresh;
}

} // namespace

Claim wang_example_1()
{
    return {
        .id = "W-Ex1",
        .paper = Paper::wang,
        .place = "Example 1",
        .statement = "TEL is 64 under MC-SF and 45 under Sorted-F.",
        .hypotheses = {},
        .method = Method::identity,
        .verdict = Verdict::holds,
        .evidence = "64, and 45 with each selector, the proven optimum.",
        .command = "crx claims W-Ex1 --run",
        .page = "docs/findings/baselines.md",
        .test = test_1,
    };
}

Claim wang_example_2()
{
    return {
        .id = "W-Ex2",
        .paper = Paper::wang,
        .place = "Example 2",
        .statement = "Of two batches, each of equal requests that fill memory, the one of least F "
                     "goes first.",
        .hypotheses = {{"the batches run one after the other"}},
        .method = Method::exhaustion,
        .verdict = Verdict::broken_as_printed,
        .evidence = "True for all 7,070 pairs with M <= 24 if the batches do not overlap. In "
                    "Sorted-F they do, and then the other order is better in 210: M = 6, three (1, "
                    "1) and two (0, 3), 11 against 10.",
        .command = "crx claims W-Ex2 --run",
        .page = "docs/findings/sorted-f.md",
        .test = test_2,
    };
}

} // namespace crx::claims
