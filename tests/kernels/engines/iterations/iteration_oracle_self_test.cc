#include "oracle/iteration.hh"

#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

// By hand: d0 = 10, d1 = 1, l = 3, l' = 1, thresholds 2. Two wait at 5: prefill of 6 tokens, 5..21.
// At 21 one is at stage 0, so the type pauses; at 40 there are two: 6 + 2 * 4 tokens, 40..64.
TEST(IterationOracle, WaitByHand)
{
    oracle::IterationModel const model{10, 65536, {{3, 1}}};
    auto const run =
        oracle::iterate(model, {"wait", {2}, {}}, {{0, 0}, {5, 0}, {9, 0}, {40, 0}}, 100);
    ASSERT_EQ(run.iterations.size(), 2u);
    EXPECT_EQ(run.iterations[0].start, 5);
    EXPECT_EQ(run.iterations[0].end, 21);
    EXPECT_EQ(run.iterations[0].memory, 6);
    EXPECT_EQ(run.iterations[1].start, 40);
    EXPECT_EQ(run.iterations[1].end, 64);
    EXPECT_EQ(run.iterations[1].memory, 14);
    EXPECT_EQ(run.completion, (std::vector<std::int64_t>{64, 64, -1, -1}));
    EXPECT_EQ(run.first_token, run.completion);
}

// AO Figure 6: l = 1, l'_1 = 1, l'_2 = 2, thresholds 3 and 3. Prompts 1, 2 of type 1, prompt 3 of
// type 2: three at stage 0 run segment 1; segment 2 waits until three have come through it.
TEST(IterationOracle, NestedWaitHoldsTheSecondSegmentBack)
{
    oracle::IterationModel const model{1, 0, {{1, 1}, {1, 2}}};
    oracle::IterationPolicy policy{"nested-wait", {}, {{1, {1, 2}, {3, 3}}}};
    std::vector<oracle::PromptArrival> arrivals;
    for (std::size_t k = 0; k < 12; ++k) arrivals.push_back({0, k % 3 == 2 ? 1u : 0u});
    auto const run = oracle::iterate(model, policy, arrivals, 100);
    // Four batches of three prefills; after the fourth nothing is left at stage 0.
    ASSERT_EQ(run.iterations.size(), 4u);
    EXPECT_EQ(run.iterations[3].served.size(), 6u); // segment 1 alone: two have come through
    EXPECT_EQ(run.iterations[3].memory, 3 + 6 + 2 * 2);
    EXPECT_EQ(run.completion[0], 2);
    EXPECT_EQ(run.completion[2], -1);
}

// By hand: one type, l = 1, l' = 2, threshold 1, hard C = 4, d0 = 1, d1 = 0. At 2 the prompts would
// take 3 + 2 + 1, so the second, the newest past stage 0, restarts and is the one that prefills.
TEST(IterationOracle, HardMemoryRestartsTheNewestPastStageZero)
{
    oracle::IterationModel const model{1, 0, {{1, 2}}};
    oracle::IterationPolicy policy{"wait", {1}, {}, 4};
    policy.hard = true;
    auto const run = oracle::iterate(model, policy, {{0, 0}, {0, 0}, {0, 0}}, 100);
    ASSERT_EQ(run.iterations.size(), 4u);
    std::vector<std::int64_t> memory, cancelled;
    for (auto const& it : run.iterations) {
        memory.push_back(it.memory);
        cancelled.push_back(static_cast<std::int64_t>(it.cancelled.size()));
    }
    EXPECT_EQ(memory, (std::vector<std::int64_t>{1, 3, 4, 3}));
    EXPECT_EQ(cancelled, (std::vector<std::int64_t>{0, 0, 1, 0}));
    EXPECT_EQ(run.first_token, (std::vector<std::int64_t>{2, 4, -1}));
    EXPECT_EQ(run.completion, (std::vector<std::int64_t>{3, -1, -1}));
}

// By hand: C = 4, l = 1, l' = 2, d0 = 1, d1 = 0. Three prefills at 0 hold 3; at 1 they would decode
// to 3 * 2 > 4, so the latest goes and two decode to 4.
TEST(IterationOracle, VllmCancelsTheLatest)
{
    oracle::IterationModel const model{1, 0, {{1, 2}}};
    oracle::IterationPolicy policy{"fcfs-vllm", {}, {}, 4};
    auto const run = oracle::iterate(model, policy, {{0, 0}, {0, 0}, {0, 0}}, 100);
    ASSERT_GE(run.iterations.size(), 4u);
    EXPECT_EQ(run.iterations[0].memory, 3);
    EXPECT_EQ(run.iterations[1].cancelled.size(), 1u);
    EXPECT_EQ(run.iterations[1].memory, 4);
}

} // namespace
} // namespace crx
