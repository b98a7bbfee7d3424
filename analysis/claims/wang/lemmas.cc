#include "analysis/claims/tools/runs.hh"
#include "analysis/claims/trial.hh"
#include "analysis/claims/wang/claims.hh"
#include "analysis/sorted_f/transformed.hh"

#include <algorithm>
#include <fmt/format.h>

namespace crx::claims {
namespace {

using namespace sorted_f;

constexpr RandomShape shape{.most_requests = 10, .most_memory = 30};

Settings settings(Selector selector, int number)
{
    return {selector, 4, 1, static_cast<std::uint64_t>(number)};
}

// Lemma 1, mean > max / 2, on every batch: exact and scaled always, swap and quantile not.
Fresh test_1(Stated const& stated)
{
    Trial trial(stated);
    std::mt19937_64 rng(3);
    int swap = 0, quantile = 0;
    for (int k = 0; k < 3'000; ++k) {
        auto const instance = random_instance(rng, shape);
        for (auto const selector : {Selector::exact, Selector::scaled}) {
            auto const made = batches(instance, settings(selector, k)).value();
            for (auto const& batch : made) {
                std::int64_t sum = 0, most = 0;
                for (auto const i : batch) {
                    sum += instance.output[i];
                    most = std::max<std::int64_t>(most, instance.output[i]);
                }
                // max < 2 mean, whole numbers: max n <= 2 sum - 1
                trial.at_most({most * std::ssize(batch), 1}, {2 * sum - 1, 1});
            }
        }
        auto const breaks = [&](Selector selector) {
            auto const made = batches(instance, settings(selector, k)).value();
            return std::ranges::any_of(
                made, [&](Batch const& batch) { return !keeps_lemma_1(instance, batch); });
        };
        swap += breaks(Selector::swap) ? 1 : 0;
        quantile += breaks(Selector::quantile) ? 1 : 0;
    }
    auto fresh = trial.verdict(Verdict::broken_as_printed,
                               fmt::format("broken by swap on {} and by quantile on {} of 3000 "
                                           "instances",
                                           swap, quantile));
    if (trial.kept() && swap + quantile == 0) fresh.verdict = Verdict::holds;
    return fresh;
}

// Wherever every batch keeps Lemma 1: max_i < 2^-(a-i-1) max_a.
Fresh test_2(Stated const& stated)
{
    Trial trial(stated);
    std::mt19937_64 rng(4);
    // Two lists whose batches do not keep Lemma 1, under swap and under quantile, come first.
    std::vector<OwnedInstance> const exhibits{
        at_zero(17, {known(3, 13), known(0, 14), known(0, 1), known(0, 1)}),
        at_zero(18, {known(6, 12), known(3, 13), known(0, 1), known(0, 1)})};
    for (int k = 0; k < 6'000; ++k) {
        auto const instance =
            k < 2 ? exhibits[static_cast<std::size_t>(k)] : random_instance(rng, shape);
        for (auto const selector :
             {Selector::exact, Selector::scaled, Selector::swap, Selector::quantile}) {
            auto const made = batches(instance, settings(selector, k)).value();
            if (stated.hypotheses && !std::ranges::all_of(made, [&](Batch const& batch) {
                    return keeps_lemma_1(instance, batch);
                })) {
                trial.leave_out();
                continue;
            }
            auto const growth = group_growth(instance, made, transform(instance, made).terminal);
            if (growth.compared == 0) continue;
            trial.expect(growth.broken == 0 && growth.not_doubled == 0);
            trial.at_most(growth.largest, 1);
        }
    }
    return trial.verdict(Verdict::sharpened);
}

} // namespace

Claim wang_lemma_1()
{
    return {
        .id = "W-L1",
        .paper = Paper::wang,
        .place = "Lemma 1",
        .statement = "In any batch selected the mean output is more than half of the largest.",
        .hypotheses = {{"the exact selector"}},
        .method = Method::search,
        .verdict = Verdict::broken_as_printed,
        .evidence = "Holds for the exact and, wherever tried, the scaled selector. Swap breaks it "
                    "in 424 of 2,166 batches of the mixed law, quantile in 231 of 2,127.",
        .command = "crx claims W-L1 --run",
        .page = "docs/findings/sorted-f.md",
        .test = test_1,
    };
}

Claim wang_lemma_2()
{
    return {
        .id = "W-L2",
        .paper = Paper::wang,
        .place = "Lemma 2",
        .statement = "Inside a group of a batches max_i <= 2^-floor((a-i)/2) max_a.",
        .hypotheses = {{"every batch keeps Lemma 1"}},
        .method = Method::proof,
        .verdict = Verdict::sharpened,
        .evidence = "max_i < 2^-(a-i-1) max_a for i < a (proof). Swap and quantile break it on "
                    "four requests.",
        .command = "crx claims W-L2 --run",
        .page = "docs/proofs/sorted_f_groups.md",
        .test = test_2,
    };
}

} // namespace crx::claims
