// Exhaustive searches against the oracle's own enumeration, optimum and means.
#include "analysis/worst/exhaustive.hh"
#include "kernels/policies/policy_info.hh"
#include "oracle/bounds.hh"
#include "oracle/mean.hh"
#include "oracle/optimum.hh"
#include "tests/support/exhaustive_optimum.hh"

#include <gtest/gtest.h>
#include <set>
#include <tbb/global_control.h>

namespace crx::worst {
namespace {

InstanceClass class_of(std::int64_t n, Tokens memory, Told told = Told::outputs,
                       Restriction restriction = Restriction::none, Rounds last_arrival = 0)
{
    InstanceClass of;
    of.requests = n;
    of.memory = memory;
    of.told = told;
    of.restriction = restriction;
    of.last_arrival = last_arrival;
    return of;
}

OwnedInstance instance_of(std::vector<RequestKind> const& requests, Tokens memory)
{
    OwnedInstance instance;
    instance.memory = memory;
    for (auto const& r : requests) {
        instance.arrival.push_back(r.arrival);
        instance.prompt.push_back(r.prompt);
        instance.output.push_back(r.output);
        instance.lower.push_back(r.lower);
        instance.upper.push_back(r.upper);
    }
    return instance;
}

std::vector<oracle::Request> plain(std::vector<RequestKind> const& requests)
{
    std::vector<oracle::Request> result;
    for (auto const& r : requests)
        result.push_back({r.arrival, r.prompt, r.output, r.lower, r.upper});
    return result;
}

ExactCost cost_of(char const* id) { return exact_policy_cost({find_policy(id)->kind, {}}); }

// Ties go by the place in the list: of arrivals where the policy serves by arrival, of its key
// where it sorts, of nothing where it draws.
TEST(ExactCost, PlacesMatterWhereTiesGoByThem)
{
    RequestKind const early{0, 0, 2, 2, 2}, longer{0, 0, 3, 3, 3}, late{1, 0, 2, 2, 2};
    auto const by_arrival = cost_of("mc-benchmark"), sorted = cost_of("mc-sf");
    EXPECT_TRUE(by_arrival.place_matters(early, longer));
    EXPECT_FALSE(by_arrival.place_matters(early, late));
    EXPECT_FALSE(sorted.place_matters(early, longer));
    EXPECT_TRUE(sorted.place_matters(early, late));
    for (auto const* const drawn : {"a-min", "a-random"})
        EXPECT_FALSE(cost_of(drawn).place_matters(early, early)) << drawn;
}

std::vector<std::vector<RequestKind>> all_of(RequestLists const& lists, std::int64_t first,
                                             std::int64_t end)
{
    std::vector<std::vector<RequestKind>> all;
    lists.for_each(first, end, [&](auto const& multiset) { all.push_back(multiset); });
    return all;
}

// 28 kinds of (s, o) with s + o <= 7: C(31, 4) multisets of four.
TEST(RequestLists, CountsMultisets)
{
    EXPECT_EQ(RequestLists(class_of(4, 7)).multisets(), 31465);
    EXPECT_EQ(all_of(RequestLists(class_of(4, 7)), 0, 31465).size(), 31465u);
}

TEST(RequestLists, AnyCutGivesTheSame)
{
    for (auto const& of : {class_of(3, 5), class_of(3, 4, Told::intervals),
                           class_of(2, 9, Told::outputs, Restriction::equal_prompts),
                           class_of(3, 6, Told::outputs, Restriction::identical, 3),
                           class_of(2, 4, Told::outputs, Restriction::none, 2),
                           class_of(2, 12, Told::outputs, Restriction::small)}) {
        RequestLists const lists(of);
        auto const whole = all_of(lists, 0, lists.multisets());
        std::vector<std::vector<RequestKind>> parts;
        for (std::int64_t first = 0; first < lists.multisets(); first += 7) {
            auto const part = all_of(lists, first, std::min(first + 7, lists.multisets()));
            parts.insert(parts.end(), part.begin(), part.end());
        }
        EXPECT_EQ(whole, parts);
        for (auto const& multiset : whole) {
            EXPECT_TRUE(is_member(of, instance_of(multiset, of.memory)));
            EXPECT_TRUE(std::ranges::is_sorted(multiset));
        }
        EXPECT_EQ(std::set(whole.begin(), whole.end()).size(), whole.size());
    }
}

// All orders, told apart by the places of each pair whose order matters.
TEST(Orders, AreOneOfEachClass)
{
    RequestLists const lists(class_of(4, 3));
    auto const matters = [](RequestKind const& a, RequestKind const& b) {
        return a.output == b.output || a.prompt == b.prompt;
    };
    for (auto const& multiset : all_of(lists, 0, lists.multisets())) {
        using Pairs = std::vector<std::vector<RequestKind>>;
        auto const pairs_of = [&](std::vector<RequestKind> const& order) {
            Pairs pairs;
            for (auto const& a : multiset)
                for (auto const& b : multiset) {
                    if (!(a < b) || !matters(a, b)) continue;
                    pairs.emplace_back();
                    for (auto const& r : order)
                        if (r == a || r == b) pairs.back().push_back(r);
                }
            return pairs;
        };
        std::map<Pairs, std::vector<RequestKind>> least;
        auto order = multiset;
        do least.try_emplace(pairs_of(order), order);
        while (std::ranges::next_permutation(order).found);
        std::set<std::vector<RequestKind>> expected, found;
        for (auto const& [pairs, first] : least) expected.insert(first);
        for_each_order(multiset, matters, [&](auto const& one) { found.insert(one); });
        EXPECT_EQ(found, expected);
    }
}

TEST(SmallOptimum, IsThatOfTwoOtherSearches)
{
    for (auto const& of : {class_of(4, 5), class_of(3, 4, Told::outputs, Restriction::none, 3)}) {
        RequestLists const lists(of);
        for (std::int64_t rank = 0; rank < lists.multisets(); rank += 5)
            for (auto const& multiset : all_of(lists, rank, rank + 1)) {
                auto const instance = instance_of(multiset, of.memory);
                auto const known =
                    static_cast<std::int64_t>(cost_of("mc-sf").latency(instance)->above);
                auto const least = small_optimum(multiset, of.memory, known);
                EXPECT_EQ(least, crx_test::exhaustive_optimum(instance));
                auto const all = oracle::exhaust(plain(multiset), of.memory, known + 1, 1 << 20);
                ASSERT_TRUE(all.finished && all.below);
                EXPECT_EQ(*all.below, least);
                EXPECT_FALSE(oracle::exhaust(plain(multiset), of.memory, least, 1 << 20).below);
                EXPECT_LE(oracle::release_bound(plain(multiset), of.memory), least);
            }
    }
}

// Larger ones, where states of equal requests and bounds come into play.
TEST(SmallOptimum, AgreesOnRandomInstances)
{
    InstanceClass const of = class_of(7, 12, Told::outputs, Restriction::none, 3);
    WordStream words(3, 0, 0);
    for (int k = 0; k < 40; ++k) {
        auto const instance = random_member(of, words);
        std::vector<RequestKind> multiset;
        for (std::size_t i = 0; i < instance.output.size(); ++i)
            multiset.push_back({instance.arrival[i], instance.prompt[i], instance.output[i],
                                instance.output[i], instance.output[i]});
        std::ranges::sort(multiset);
        auto const known = static_cast<std::int64_t>(
            cost_of("mc-sf").latency(instance_of(multiset, instance.memory))->above);
        auto const least = small_optimum(multiset, instance.memory, known);
        auto const all = oracle::exhaust(plain(multiset), instance.memory, known + 1, 1 << 22);
        ASSERT_TRUE(all.finished && all.below);
        EXPECT_EQ(*all.below, least);
    }
}

TEST(ExactCost, IsTheOraclesMean)
{
    InstanceClass of = class_of(4, 7, Told::intervals);
    WordStream words(5, 0, 0);
    int endless = 0, random = 0;
    for (int k = 0; k < 60; ++k) {
        auto const instance = random_member(of, words);
        std::vector<oracle::Request> requests;
        for (std::size_t i = 0; i < instance.output.size(); ++i)
            requests.push_back(
                {0, instance.prompt[i], instance.output[i], instance.lower[i], instance.upper[i]});
        for (auto const* id :
             {"mc-sf", "mc-benchmark", "a-random", "a-max", "a-min", "a-min-evict", "a-ell"}) {
            auto const by_oracle = [&] {
                return oracle::exact_mean([&](oracle::Choices& choices) {
                    return oracle::simulate({id}, requests, instance.memory, choices).total_latency;
                });
            };
            std::optional<ExactFraction> mean;
            try {
                mean = cost_of(id).latency(instance);
            } catch (EndlessChoices const&) {
                EXPECT_THROW(by_oracle(), oracle::Endless);
                ++endless;
                continue;
            }
            ASSERT_TRUE(mean);
            EXPECT_EQ(oracle::Fraction(mean->text()), by_oracle()) << id;
            random += mean->reduced().below > 1 ? 1 : 0;
        }
    }
    EXPECT_GT(endless, 0);
    EXPECT_GT(random, 20);
}

/// The largest ratio of all sequences of n requests, by plain loops: no symmetry, another optimum.
oracle::Fraction plain_maximum(char const* id, bool over_opt, std::int64_t n, Tokens memory,
                               Rounds last_arrival)
{
    std::vector<oracle::Request> kinds;
    for (std::int64_t a = 0; a <= last_arrival; ++a)
        for (std::int64_t s = 0; s < memory; ++s)
            for (std::int64_t o = 1; s + o <= memory; ++o) kinds.push_back({a, s, o, o, o});
    std::vector<std::size_t> at(static_cast<std::size_t>(n), 0);
    oracle::Fraction maximum = 0;
    for (;;) {
        std::vector<oracle::Request> requests;
        for (auto const k : at) requests.push_back(kinds[k]);
        oracle::Fraction const above = oracle::exact_mean([&](oracle::Choices& choices) {
            return oracle::simulate({id}, requests, memory, choices).total_latency;
        });
        auto const below = over_opt
                               ? crx_test::ExhaustiveOptimum(requests, memory).find()
                               : oracle::simulate({"mc-sf"}, requests, memory, 0, 0).total_latency;
        maximum = std::max<oracle::Fraction>(maximum, above / below);
        std::size_t k = 0;
        while (k < at.size() && ++at[k] == kinds.size()) at[k++] = 0;
        if (k == at.size()) return maximum;
    }
}

TEST(ExhaustiveSearch, MaximumIsThatOfAllSequences)
{
    struct Case
    {
        char const* id;
        bool over_opt;
        std::int64_t n;
        Tokens memory;
        Rounds last_arrival;
    };
    for (auto const& [id, over_opt, n, memory, last] :
         {Case{"mc-sf", true, 4, 4, 0}, Case{"mc-sf-total", true, 3, 5, 0},
          Case{"mc-benchmark", true, 3, 5, 0}, Case{"mc-benchmark", true, 3, 3, 2},
          Case{"mc-sf", true, 3, 3, 2}, Case{"a-random", false, 3, 5, 0}}) {
        ExactDenominator denominator;
        if (!over_opt) denominator.cost = cost_of("mc-sf");
        ExhaustiveSearch const search(class_of(n, memory, Told::outputs, Restriction::none, last),
                                      cost_of(id), denominator);
        auto const found = search.run(0, search.multisets());
        ASSERT_TRUE(found.maximum);
        EXPECT_EQ(oracle::Fraction(found.maximum->text()),
                  plain_maximum(id, over_opt, n, memory, last))
            << id;
    }
}

TEST(ExhaustiveSearch, PartsAndThreadsChangeNothing)
{
    ExhaustiveSearch const search(class_of(3, 6), cost_of("mc-sf"), {});
    auto const whole = search.run(0, search.multisets());
    tbb::global_control const one(tbb::global_control::max_allowed_parallelism, 1);
    Exhausted parts;
    for (std::int64_t first = 0; first < search.multisets(); first += 501)
        parts.add(search.run(first, std::min(first + 501, search.multisets())));
    EXPECT_EQ(parts.multisets, whole.multisets);
    EXPECT_EQ(parts.instances, whole.instances);
    EXPECT_EQ(parts.at_maximum, whole.at_maximum);
    EXPECT_EQ(parts.hash, whole.hash);
    EXPECT_EQ(parts.maximum->text(), whole.maximum->text());
    ASSERT_TRUE(parts.worst && whole.worst);
    EXPECT_EQ(parts.worst->prompt, whole.worst->prompt);
    EXPECT_EQ(parts.worst->output, whole.worst->output);
}

// What the oracle makes of every order of a multiset it makes of the orders that are run.
TEST(ExhaustiveSearch, OrdersThatAreLeftOutAddNothing)
{
    for (auto const* id : {"mc-sf", "mc-sf-total", "mc-benchmark", "a-random", "a-max"}) {
        RequestLists const lists(class_of(3, 4, Told::outputs, Restriction::none, 1));
        auto const cost = cost_of(id);
        auto const mean = [&](std::vector<RequestKind> const& order) {
            return oracle::exact_mean([&](oracle::Choices& choices) {
                return oracle::simulate({id}, plain(order), 4, choices).total_latency;
            });
        };
        for (auto const& multiset : all_of(lists, 0, lists.multisets())) {
            std::set<oracle::Fraction> every, run;
            auto order = multiset;
            do every.insert(mean(order));
            while (std::ranges::next_permutation(order).found);
            for_each_order(multiset, cost.place_matters,
                           [&](auto const& one) { run.insert(mean(one)); });
            ASSERT_EQ(every, run) << id;
        }
    }
}

// MC-SF with its ties reversed: another maximum or not, the hash tells.
TEST(ExhaustiveSearch, AnotherPolicyHasAnotherHash)
{
    auto planted = cost_of("mc-sf");
    planted.latency = [honest = planted.latency](OwnedInstance const& instance) {
        auto reversed = instance;
        for (auto* v : {&reversed.prompt, &reversed.output, &reversed.lower, &reversed.upper})
            std::ranges::reverse(*v);
        return honest(reversed);
    };
    ExhaustiveSearch const one(class_of(3, 4), cost_of("mc-sf"), {});
    ExhaustiveSearch const other(class_of(3, 4), planted, {});
    EXPECT_NE(one.run(0, one.multisets()).hash, other.run(0, other.multisets()).hash);
}

} // namespace
} // namespace crx::worst
