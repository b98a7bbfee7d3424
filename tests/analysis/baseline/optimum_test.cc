#include "analysis/baseline/branch_and_bound.hh"
#include "analysis/baseline/hindsight.hh"
#include "analysis/baseline/identical_dual.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "analysis/baseline/search/local_search.hh"
#include "analysis/sorted_lp/relaxation.hh"
#include "bench/checks/integer_program.hh"
#include "support/exhaustive_optimum.hh"
#include "support/one_by_one.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace crx::baseline {
namespace {

using crx_test::exhaustive_optimum;

OwnedInstance small_instance(std::mt19937_64& rng, bool identical)
{
    auto const pick = [&](std::int64_t lo, std::int64_t hi) {
        return lo + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(hi - lo + 1));
    };
    OwnedInstance instance;
    instance.memory = pick(3, 12);
    auto const n = pick(1, 5);
    auto const kind = pick(0, 3); // arrivals: 0 for kinds 0 and 1
    auto const most = pick(0, 3);
    for (std::int64_t i = 0; i < n; ++i) {
        auto const s = std::min(pick(0, most), instance.memory - 1);
        instance.prompt.push_back(static_cast<std::int32_t>(s));
        instance.output.push_back(
            static_cast<std::int32_t>(pick(1, std::min<std::int64_t>(instance.memory - s, 7))));
        instance.arrival.push_back(kind <= 1 ? 0 : pick(0, 6));
        if (i > 0 && (identical || pick(0, 3) == 0)) { // equal requests
            instance.prompt.back() = instance.prompt.front();
            instance.output.back() = instance.output.front();
            instance.arrival.back() = instance.arrival.front();
        }
        if (identical) instance.arrival.back() = 0;
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

std::string describe(OwnedInstance const& instance)
{
    auto text = "M = " + std::to_string(instance.memory) + ", (a, s, o):";
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        text += " (" + std::to_string(instance.arrival[i]) + ", " +
                std::to_string(instance.prompt[i]) + ", " + std::to_string(instance.output[i]) +
                ")";
    return text;
}

struct Exact
{
    Rounds lower, optimum;
};

/// clique_bound and search_starts from a given schedule.
Exact search_from(OwnedInstance const& instance, Starts const& known)
{
    auto const groups = request_groups(instance);
    auto const upper = total_latency(instance, known);
    auto const bound = clique_bound(instance, groups, upper, *std::ranges::max_element(known), 100);
    if (bound.lower_bound >= upper) return {bound.lower_bound, upper};
    auto const found = search_starts(instance, groups, bound, upper, 100);
    EXPECT_TRUE(found.complete);
    if (found.best.empty()) return {bound.lower_bound, upper};
    EXPECT_EQ(schedule_fault(instance, found.best), std::nullopt);
    EXPECT_EQ(total_latency(instance, found.best), found.total_latency);
    return {bound.lower_bound, found.total_latency};
}

/// The bound that prices of memory and peaks reach in a few steps.
Rounds peak_bound(OwnedInstance const& instance, Rounds upper, Starts const& known)
{
    auto const groups = request_groups(instance);
    AscentSettings settings;
    settings.starts = *std::ranges::max_element(known) + 8;
    settings.peak_families = 3;
    settings.upper = upper;
    settings.iterations = 100;
    auto const ascent = ascend(instance, groups, settings);
    Lagrangian const exact(instance, groups, ascent.prices, settings.starts);
    EXPECT_EQ(exact.bound(), lagrangian_bound(instance, groups, ascent.prices, settings.starts));
    return exact.opt_lower_bound();
}

// Every bound is at most the exhaustive optimum and the search finds it, whether it starts from a
// poor schedule (so that it has to find the optimum) or from a good one (so that it has to prove
// it).
TEST(HindsightOptimum, EqualsExhaustiveSearch)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int peaks_above_lp = 0, lp_above_volume = 0, cliques_above_lp = 0;
    for (int k = 0; k < 3000; ++k) {
        auto const instance = small_instance(rng, k % 10 == 0);
        SCOPED_TRACE(describe(instance));
        auto const optimum = exhaustive_optimum(instance);
        auto const found = local_search(instance, {60, 1e9, static_cast<std::uint64_t>(k)});
        ASSERT_EQ(schedule_fault(instance, found.starts), std::nullopt);
        ASSERT_GE(found.total_latency, optimum);

        auto const from_poor = search_from(instance, crx_test::one_by_one(instance));
        ASSERT_EQ(from_poor.optimum, optimum);
        ASSERT_LE(from_poor.lower, optimum);
        auto const from_good = search_from(instance, found.starts);
        ASSERT_EQ(from_good.optimum, optimum);
        ASSERT_LE(from_good.lower, optimum);

        auto const lp = lp_bound(instance, *std::ranges::max_element(found.starts), 100);
        ASSERT_TRUE(lp.solved && lp.horizon_valid);
        ASSERT_LE(lp.value, static_cast<double>(optimum) + 1e-6);
        ASSERT_LE(lp.lower_bound, optimum);
        // The exact bound from the solver's prices is the program's value but for rounding.
        ASSERT_GE(static_cast<double>(lp.lower_bound), lp.value - 1e-3);
        // The same program by columns, and the bound with peak rows.
        sorted_lp::RelaxationSettings settings;
        settings.iterations = 30;
        auto const relaxation = sorted_lp::relax(instance, settings);
        ASSERT_TRUE(relaxation.solved);
        ASSERT_NEAR(relaxation.upper, lp.value, 1e-6 * lp.value);
        ASSERT_LE(relaxation.opt_lower_bound, optimum);
        auto const peaks = peak_bound(instance, found.total_latency, found.starts);
        ASSERT_LE(peaks, optimum);
        peaks_above_lp += peaks > lp.lower_bound;
        cliques_above_lp += from_good.lower > lp.lower_bound;
        if (std::ranges::all_of(instance.arrival, [](Rounds a) { return a == 0; })) {
            ASSERT_LE(volume_bound(instance), optimum);
            lp_above_volume += lp.lower_bound > volume_bound(instance);
        }
        if (auto const dual = identical_dual_bound(instance)) {
            ASSERT_LE(*dual, optimum);
        }
    }
    // The bounds differ, or the test would say little about them.
    EXPECT_GT(lp_above_volume, 100);
    EXPECT_GT(cliques_above_lp, 100);
    EXPECT_GT(peaks_above_lp, 100);
}

// A horizon far too short: `lp` says so by its prices and doubles it.
TEST(HindsightOptimum, ShortHorizonIsDoubled)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int doubled = 0;
    for (int k = 0; k < 300; ++k) {
        auto const instance = small_instance(rng, false);
        auto const right = lp_bound(instance, 60, 100), grown = lp_bound(instance, 1, 100);
        if (grown.solved) {
            EXPECT_NEAR(grown.value, right.value, 1e-6) << describe(instance);
        }
        doubled += grown.last_start > 1;
    }
    EXPECT_GT(doubled, 10);
}

// From the optimum, the starts that are left in the third program have no solution, and its prices
// prove that nothing is better.
TEST(HindsightOptimum, AProgramThatLosesItsSolutionProvesTheOptimum)
{
    OwnedInstance instance;
    instance.memory = 8;
    instance.arrival = {1, 6, 4, 4};
    instance.prompt = {2, 0, 2, 3};
    instance.lower = instance.upper = instance.output = {2, 7, 5, 5};
    auto const optimum = exhaustive_optimum(instance);
    auto const groups = request_groups(instance);
    auto const last = std::ranges::max(crx_test::one_by_one(instance));
    EXPECT_EQ(clique_bound(instance, groups, optimum, last, 100).lower_bound, optimum);
}

// Short of any schedule's last start the program of clique_bound has no solution: the bound is the
// sum of o, and the search still finds what is better than `upper`.
TEST(HindsightOptimum, CliqueBoundWithoutASolutionIsTheOutputs)
{
    std::mt19937_64 rng(crx_test::test_seed() + 5);
    int unsolved = 0;
    for (int k = 0; k < 300; ++k) {
        auto const instance = small_instance(rng, false);
        SCOPED_TRACE(describe(instance));
        auto const groups = request_groups(instance);
        auto const upper = total_latency(instance, crx_test::one_by_one(instance));
        auto const bound = clique_bound(instance, groups, upper, 0, 100);
        ASSERT_GE(bound.lower_bound,
                  std::accumulate(instance.output.begin(), instance.output.end(), Rounds{0}));
        auto const optimum = exhaustive_optimum(instance);
        ASSERT_LE(bound.lower_bound, optimum);
        if (bound.lower_bound >= upper) continue;
        unsolved += bound.prices.memory.empty();
        auto const found = search_starts(instance, groups, bound, upper, 100);
        ASSERT_TRUE(found.complete);
        ASSERT_EQ(found.best.empty() ? upper : found.total_latency, optimum);
    }
    EXPECT_GT(unsolved, 10);
}

// Without prices a start costs its delay: the longer of two requests that hardly fit together
// starts in round 2, and the bound with that start is the optimum itself, not below it.
TEST(HindsightOptimum, TheStartsOfAnOptimumOneBelowTheKnownScheduleAreKept)
{
    OwnedInstance instance;
    instance.memory = 4;
    instance.arrival = {0, 0};
    instance.prompt = {0, 0};
    instance.lower = instance.upper = instance.output = {3, 4};
    ASSERT_EQ(exhaustive_optimum(instance), 9);
    auto const groups = request_groups(instance);
    auto const bound = price_bound(instance, groups, 10, {}, 10);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const start = groups[g].output == 4 ? 2 : 0;
        EXPECT_TRUE(bound.domain.allows(g, start)) << g;
    }
    auto const found = search_starts(instance, groups, bound, 10, 100);
    ASSERT_TRUE(found.complete);
    EXPECT_EQ(found.total_latency, 9);
    // Below 9 there is none, and that start is out.
    auto const below = price_bound(instance, groups, 9, {}, 10);
    for (std::size_t g = 0; g < groups.size(); ++g)
        EXPECT_EQ(below.domain.allows(g, 2), false) << g;
}

// A domain too large for any table is none, and a search without one has searched nothing.
TEST(HindsightOptimum, DomainsTooLargeAreNotMade)
{
    OwnedInstance instance;
    instance.memory = 4;
    instance.arrival = {0, 0};
    instance.prompt = {0, 0};
    instance.lower = instance.upper = instance.output = {3, 4};
    auto const groups = request_groups(instance);
    for (auto const& bound : {clique_bound(instance, groups, 1'000'000'000, 10, 100),
                              price_bound(instance, groups, 1'000'000'000, {}, 10)}) {
        EXPECT_EQ(bound.domain.starts(), 0);
        EXPECT_GE(bound.lower_bound, 7);
        EXPECT_LE(bound.lower_bound, 10);
        auto const found = search_starts(instance, groups, bound, 1'000'000'000, 100);
        EXPECT_FALSE(found.complete);
        EXPECT_EQ(found.nodes, 0);
    }
}

// Rows that stand for many rounds cut the tree at the same places.
TEST(HindsightOptimum, SearchIsTheSameWithASmallTable)
{
    std::mt19937_64 rng(crx_test::test_seed() + 8);
    std::int64_t nodes = 0;
    for (int k = 0; k < 300; ++k) {
        auto const instance = small_instance(rng, false);
        auto const groups = request_groups(instance);
        auto const known = crx_test::one_by_one(instance);
        auto const upper = total_latency(instance, known);
        auto const bound =
            clique_bound(instance, groups, upper, *std::ranges::max_element(known), 0.0);
        SearchLimit small(100.0);
        small.table_words = 1;
        auto const a = search_starts(instance, groups, bound, upper, 100.0),
                   b = search_starts(instance, groups, bound, upper, small);
        ASSERT_EQ(a.nodes, b.nodes) << describe(instance);
        ASSERT_EQ(a.best, b.best) << describe(instance);
        nodes += a.nodes;
    }
    EXPECT_GT(nodes, 1000);
}

// What it tabulates can take long: it is asked to end and does so without a node.
TEST(HindsightOptimum, SearchAsksTheClockBeforeItStarts)
{
    std::mt19937_64 rng(crx_test::test_seed() + 6);
    for (int k = 0; k < 20; ++k) {
        auto const instance = small_instance(rng, false);
        auto const groups = request_groups(instance);
        auto const known = crx_test::one_by_one(instance);
        auto const upper = total_latency(instance, known);
        auto const bound =
            clique_bound(instance, groups, upper, *std::ranges::max_element(known), 100);
        auto const found =
            search_starts(instance, groups, bound, upper, TimeLimit(100, [] { return true; }));
        EXPECT_FALSE(found.complete);
        EXPECT_EQ(found.nodes, 0);
    }
}

TEST(HindsightOptimum, IntegerProgramAgrees)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    for (int k = 0; k < 30; ++k) {
        auto const instance = small_instance(rng, false);
        SCOPED_TRACE(describe(instance));
        auto const program = integer_program(instance, crx_test::one_by_one(instance), 60);
        ASSERT_TRUE(program.optimal);
        ASSERT_EQ(program.total_latency, exhaustive_optimum(instance));
    }
}

// Above 16 requests `lp` is solved by columns: the same value as the whole program's, and no bound
// is above the best schedule.
TEST(HindsightOptimum, RelaxationByColumnsInTheBracket)
{
    std::mt19937_64 rng(crx_test::test_seed() + 4);
    for (int k = 0; k < 5; ++k) {
        OwnedInstance instance;
        instance.memory = 9;
        for (int i = 0; i < 18; ++i) { // short, so that the search ends soon
            instance.prompt.push_back(static_cast<std::int32_t>(rng() % 3));
            instance.output.push_back(1 + static_cast<std::int32_t>(rng() % 3));
            instance.arrival.push_back(k % 2 == 0 ? 0 : static_cast<Rounds>(rng() % 9));
        }
        instance.lower = instance.upper = instance.output;
        HindsightLimits limits;
        limits.seconds = 60;
        limits.evaluations_a_request = 100;
        auto const result = hindsight(instance, limits);
        EXPECT_LE(result.lower, result.upper);
        for (auto const& bound : result.bounds)
            if (bound.id == "lp") {
                EXPECT_EQ(bound.remark.find("value "), 0u) << bound.remark;
                auto const whole = lp_bound(instance, result.upper, 100);
                EXPECT_NEAR(std::stod(bound.remark.substr(6)), whole.value, 1e-5 * whole.value);
            }
    }
}

// Two starts conflict exactly if the two requests alone, so started, exceed memory.
TEST(HindsightOptimum, ConflictsAreThoseOfTwoRequestsAlone)
{
    std::mt19937_64 rng(crx_test::test_seed() + 3);
    int conflicts = 0;
    for (int k = 0; k < 20000; ++k) {
        RequestGroup a, b;
        Tokens const memory = 4 + static_cast<Tokens>(rng() % 12);
        for (auto* group : {&a, &b}) {
            group->prompt = static_cast<std::int32_t>(rng() % 4);
            group->output = 1 + static_cast<std::int32_t>(
                                    rng() % static_cast<std::uint64_t>(memory - group->prompt));
        }
        Rounds const start_a = static_cast<Rounds>(rng() % 12),
                     start_b = static_cast<Rounds>(rng() % 12);
        bool over = false;
        for (Rounds t = 0; t < 40; ++t) {
            Tokens held = 0;
            if (t > start_a && t <= start_a + a.output) held += a.prompt + t - start_a;
            if (t > start_b && t <= start_b + b.output) held += b.prompt + t - start_b;
            over = over || held > memory;
        }
        ASSERT_EQ(starts_conflict(a, start_a, b, start_b, memory), over);
        conflicts += over;
    }
    EXPECT_GT(conflicts, 1000);
}

// The schedule a request too early or a token too many is told from one that is none.
TEST(HindsightOptimum, FaultsAreSeen)
{
    OwnedInstance instance;
    instance.memory = 6;
    instance.arrival = {0, 2};
    instance.prompt = {1, 1};
    instance.lower = instance.upper = instance.output = {3, 3};
    // Request 0 from 0 holds 2 3 4 at times 1 2 3; request 1 from 2 holds 2 at time 3: 6 in all.
    EXPECT_EQ(schedule_fault(instance, {0, 2}), std::nullopt);
    EXPECT_EQ(schedule_fault(instance, {0, 1}), "request 1 starts at 1, before it arrives at 2");
    EXPECT_EQ(schedule_fault(instance, {1, 2}), "7 tokens are held at time 4, more than M = 6");
    EXPECT_EQ(schedule_fault(instance, {0}), "1 starts for 2 requests");
    EXPECT_EQ(total_latency(instance, {0, 2}), 3 + 3);
}

} // namespace
} // namespace crx::baseline
