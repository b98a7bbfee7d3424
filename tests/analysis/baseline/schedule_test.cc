#include "analysis/baseline/schedule.hh"

#include "support/test_seed.hh"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

/// The most that is held at the time of any completion, summed anew at each.
Tokens most_held(OwnedInstance const& instance, Starts const& starts)
{
    Tokens most = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        auto const time = starts[i] + instance.output[i];
        Tokens held = 0;
        for (std::size_t j = 0; j < starts.size(); ++j)
            if (time > starts[j] && time <= starts[j] + instance.output[j])
                held += instance.prompt[j] + time - starts[j];
        most = std::max(most, held);
    }
    return most;
}

TEST(ScheduleFault, FaultsAreThoseOfSumsMadeAnew)
{
    std::mt19937_64 rng(crx_test::test_seed() + 7);
    for (int k = 0; k < 5000; ++k) {
        OwnedInstance instance;
        Rounds const date = k % 2 == 0 ? 0 : 1'000'000'000'000;
        Starts starts;
        for (auto n = 1 + rng() % 6; n-- > 0;) {
            instance.prompt.push_back(static_cast<std::int32_t>(rng() % 4));
            instance.output.push_back(1 + static_cast<std::int32_t>(rng() % 7));
            instance.arrival.push_back(date + static_cast<Rounds>(rng() % 6));
            starts.push_back(instance.arrival.back() + static_cast<Rounds>(rng() % 12));
        }
        instance.memory = most_held(instance, starts);
        ASSERT_EQ(schedule_fault(instance, starts), std::nullopt) << k;
        --instance.memory;
        auto const fault = schedule_fault(instance, starts);
        ASSERT_TRUE(fault) << k;
        ASSERT_EQ(fault->find(std::to_string(instance.memory + 1) + " tokens are held at time "),
                  0u)
            << *fault;
    }
}

// Summed anew at each completion these take minutes.
TEST(ScheduleFault, ManyStartsAreCheckedAtOnce)
{
    constexpr std::int32_t n = 400'000;
    OwnedInstance instance;
    instance.memory = 4;
    Starts starts;
    for (std::int32_t i = 0; i < n; ++i) starts.push_back(3 * ((i * 7LL) % n));
    instance.arrival.assign(n, 0);
    instance.prompt.assign(n, 1);
    instance.output.assign(n, 3);
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_EQ(schedule_fault(instance, starts), std::nullopt);
    starts[17] += 1;
    EXPECT_NE(schedule_fault(instance, starts), std::nullopt);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

} // namespace
} // namespace crx::baseline
