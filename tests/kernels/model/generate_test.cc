#include "kernels/cpu/single.hh"

#include "oracle/words.hh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace crx {
namespace {

Workload table_workload(std::vector<std::int32_t> value, std::vector<std::uint64_t> threshold)
{
    Workload w;
    w.seed = 77;
    w.requests = 1000;
    w.memory = 1000;
    w.output_value = std::move(value);
    w.output_threshold = std::move(threshold);
    return w;
}

// docs/random-choices.md followed by hand: the least k with word < T_k, word i for request i.
TEST(Generate, TableDrawsFollowTheWords)
{
    auto const third = ~std::uint64_t{0} / 3;
    auto w = table_workload({2, 5, 9}, {third, 2 * third, ~std::uint64_t{0}});
    w.prompt_kind = PromptKind::table;
    w.prompt_value = {0, 4};
    w.prompt_threshold = {std::uint64_t{1} << 62, ~std::uint64_t{0}};
    auto const instance = generate_single(w, 5);
    oracle::WordStream lengths(77, 5, 0), prompts(77, 5, 1);
    for (std::size_t i = 0; i < 1000; ++i) {
        auto const word = lengths.next();
        ASSERT_EQ(instance.output[i], word < third ? 2 : word < 2 * third ? 5 : 9);
        ASSERT_EQ(instance.prompt[i], prompts.next() < std::uint64_t{1} << 62 ? 0 : 4);
    }
}

TEST(Generate, CompositionsAreDealtByTheOraclesPermutation)
{
    Workload w;
    w.seed = 78;
    w.requests = 12;
    w.memory = 100;
    w.output_kind = OutputKind::composition;
    w.output_value = {1, 4, 7};
    w.output_count = {5, 0, 7};
    w.prompt_constant = 3;
    w.interval = {IntervalKind::common, 1, 7, 100, 0, 1};
    auto const instance = generate_single(w, 2);
    auto const order = oracle::WordStream(78, 2, 0).permutation(12);
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(instance.output[i], order[i] < 5 ? 1 : 7);
        EXPECT_EQ(instance.prompt[i], 3);
        EXPECT_EQ(instance.lower[i], 1);
        EXPECT_EQ(instance.upper[i], 7);
    }
}

TEST(Generate, TracesTakeRowsOfTheirSources)
{
    Workload w;
    w.seed = 79;
    w.requests = 9;
    w.memory = 1000;
    w.output_kind = OutputKind::trace;
    w.prompt_kind = PromptKind::trace;
    w.trace_prompt = {10, 11, 20, 21, 22};
    w.trace_output = {1, 2, 3, 4, 5};
    w.source_end = {2, 5};
    w.source_count = {3, 6};
    auto const instance = generate_single(w, 1);
    auto const order = oracle::WordStream(79, 1, 0).permutation(9);
    oracle::WordStream rows(79, 1, 1);
    for (std::size_t i = 0; i < 9; ++i) {
        auto const row = order[i] < 3 ? rows.bounded(2) : 2 + rows.bounded(3);
        EXPECT_EQ(instance.prompt[i], w.trace_prompt[row]);
        EXPECT_EQ(instance.output[i], w.trace_output[row]);
    }
    w.trace_order = TraceOrder::in_order;
    w.requests = 5;
    EXPECT_EQ(generate_single(w, 1).output, w.trace_output);
}

TEST(Generate, TraceWindow)
{
    Workload w;
    w.seed = 79;
    w.requests = 3;
    w.memory = 100;
    w.output_kind = OutputKind::trace;
    w.prompt_kind = PromptKind::trace;
    w.trace_order = TraceOrder::window;
    w.arrival_kind = ArrivalKind::trace;
    w.trace_prompt = {10, 11, 12, 13, 14, 15, 16};
    w.trace_output = {1, 2, 3, 4, 5, 6, 7};
    w.trace_arrival = {100, 105, 105, 120, 200, 201, 230};
    w.source_end = {7};
    w.source_count = {3};
    for (std::int64_t number = 0; number < 40; ++number) {
        auto const first = oracle::WordStream(79, static_cast<std::uint64_t>(number), 1).bounded(5);
        auto const instance = generate_single(w, number);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(instance.prompt[i], w.trace_prompt[first + i]);
            EXPECT_EQ(instance.output[i], w.trace_output[first + i]);
            EXPECT_EQ(instance.arrival[i], w.trace_arrival[first + i] - w.trace_arrival[first]);
        }
    }
}

TEST(Generate, IntervalRulesByHand)
{
    auto const interval = [](IntervalRule const& rule, std::int32_t o) {
        auto w = table_workload({o}, {~std::uint64_t{0}});
        w.requests = 1;
        w.interval = rule;
        auto const instance = generate_single(w, 0);
        return std::pair{instance.lower[0], instance.upper[0]};
    };
    using P = std::pair<std::int32_t, std::int32_t>;
    EXPECT_EQ(interval({}, 7), (P{7, 7}));
    IntervalRule const buckets{IntervalKind::buckets, 1, 1, 100, 0, 1};
    EXPECT_EQ(interval(buckets, 1), (P{1, 100}));
    EXPECT_EQ(interval(buckets, 100), (P{1, 100}));
    EXPECT_EQ(interval(buckets, 101), (P{101, 200}));
    // x = 0.1: floats give ceil(1.1 * 10) = 12; exact fractions 11.
    IntervalRule const tenth{IntervalKind::relative, 1, 1, 100, 1, 10};
    EXPECT_EQ(interval(tenth, 10), (P{9, 11}));
    EXPECT_EQ(interval(tenth, 1), (P{1, 2}));
    IntervalRule const wide{IntervalKind::relative, 1, 1, 100, 99, 100};
    EXPECT_EQ(interval(wide, 300), (P{3, 597}));
    EXPECT_EQ(interval(wide, 5), (P{1, 10}));
}

// H0: the frequencies of values {1, 2, 3} over 10^6 draws are 1/2, 1/4, 1/4.
// False alarm <= 1e-9 for any seed (Hoeffding, three values); a frequency off by 0.7 % is missed
// with probability below 1e-9. The planted fault, thresholds off by 0.01, is caught.
TEST(Generate, TableFrequenciesAreTheLaw)
{
    auto const worst_error = [](double shift) {
        auto const at = [](double p) { return static_cast<std::uint64_t>(p * 0x1p64); };
        auto w = table_workload({1, 2, 3}, {at(0.5 + shift), at(0.75 + shift), ~std::uint64_t{0}});
        w.seed = crx_test::test_seed();
        w.requests = 1000000;
        std::map<std::int32_t, double> count;
        for (auto const o : generate_single(w, 0).output) count[o] += 1e-6;
        return std::max(
            {std::abs(count[1] - 0.5), std::abs(count[2] - 0.25), std::abs(count[3] - 0.25)});
    };
    double const tolerance = std::sqrt(std::log(2 * 3 / 1e-9) / (2.0 * 1000000));
    SCOPED_TRACE("rerun: CRX_TEST_SEED=" + std::to_string(crx_test::test_seed()));
    EXPECT_LT(worst_error(0), tolerance);
    EXPECT_GT(worst_error(0.01), tolerance);
}

} // namespace
} // namespace crx
