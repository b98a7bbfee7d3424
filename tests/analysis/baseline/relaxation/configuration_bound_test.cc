#include "analysis/baseline/relaxation/configuration_bound.hh"

#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/relaxation/price_bound.hh"
#include "support/oracle_optimum.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <random>
#include <sstream>

namespace crx::baseline {
namespace {

ConfigurationOutcome outcome_from(OwnedInstance const& instance, Rounds upper, Rounds last_start)
{
    auto const groups = request_groups(instance);
    AscentSettings settings;
    settings.starts = last_start + 8;
    settings.peak_families = 3;
    settings.upper = upper;
    settings.iterations = 40;
    auto const prices = ascend(instance, groups, settings).prices;
    auto const root = price_bound(instance, groups, upper, prices, settings.starts);
    return configuration_bound(instance, groups, root, upper, {});
}

/// From a poor schedule the optimum is found, and from the optimum it is proven.
::testing::AssertionResult agrees(OwnedInstance const& instance, std::int64_t& searched)
{
    auto const optimum = crx_test::oracle_optimum(instance);
    auto const poor = crx_test::one_by_one(instance);
    auto const upper = total_latency(instance, poor);
    auto const found = outcome_from(instance, upper, *std::ranges::max_element(poor));
    auto const proven = outcome_from(instance, optimum, *std::ranges::max_element(poor));
    searched += found.states > 1;
    auto const least = found.best.empty() ? upper : found.total_latency;
    if (found.complete && least == optimum && found.bound.lower_bound == optimum &&
        (found.best.empty() || (!schedule_fault(instance, found.best) &&
                                total_latency(instance, found.best) == optimum)) &&
        proven.complete && proven.best.empty() && proven.bound.lower_bound == optimum)
        return ::testing::AssertionSuccess();
    auto failure = ::testing::AssertionFailure()
                   << "optimum " << optimum << ", found " << least << " (complete "
                   << found.complete << ", bound " << found.bound.lower_bound
                   << "), from the optimum complete " << proven.complete << ", bound "
                   << proven.bound.lower_bound << "; M = " << instance.memory << ", (a, s, o):";
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        failure << " (" << instance.arrival[i] << ", " << instance.prompt[i] << ", "
                << instance.output[i] << ")";
    return failure;
}

OwnedInstance random_instance(std::mt19937_64& rng, int most_requests, Tokens most_memory)
{
    auto const pick = [&](std::int64_t lo, std::int64_t hi) {
        return lo + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(hi - lo + 1));
    };
    OwnedInstance instance;
    instance.memory = pick(3, most_memory);
    auto const n = pick(1, most_requests);
    auto const latest = rng() % 2 == 0 ? 0 : pick(0, 8);
    for (std::int64_t i = 0; i < n; ++i) {
        auto const s = std::min(pick(0, 3), instance.memory - 1);
        instance.prompt.push_back(static_cast<std::int32_t>(s));
        instance.output.push_back(static_cast<std::int32_t>(pick(1, instance.memory - s)));
        instance.arrival.push_back(pick(0, latest));
        if (i > 0 && rng() % 5 == 0) {
            instance.prompt.back() = instance.prompt.front();
            instance.output.back() = instance.output.front();
            instance.arrival.back() = instance.arrival.front();
        }
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// The full checks, about an hour of one core: CRX_ALL_OPTIMA is set in the environment.
bool all_optima() { return std::getenv("CRX_ALL_OPTIMA") != nullptr; }

/// CRX_ALL_OPTIMA=3/20 is the fourth of twenty parts: of the small instances, every 20th.
struct Part
{
    std::int64_t number = 0, of = 2000;
};

Part part_of_all()
{
    if (!all_optima()) return {};
    std::istringstream text(std::getenv("CRX_ALL_OPTIMA"));
    Part part;
    char slash = 0;
    if (text >> part.number >> slash >> part.of && slash == '/' && part.number >= 0 &&
        part.number < part.of)
        return part;
    return {0, 1};
}

// The oracle is another search, with no bound but lengths and volume. 400 instances, or 10,000.
TEST(ConfigurationBound, AgreesWithTheOracleOnRandomInstances)
{
    auto const seed = crx_test::test_seed() + 32;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 rng(seed);
    std::int64_t searched = 0;
    auto const count = all_optima() ? 10'000 : 400;
    for (int k = 0; k < count; ++k) ASSERT_TRUE(agrees(random_instance(rng, 8, 14), searched)) << k;
    EXPECT_GT(searched, count / 20); // bounds alone prove the others
}

// All instances of n <= 5 and M <= 8 with arrivals at 0, up to the order of requests; without
// CRX_ALL_OPTIMA one in 2,000, with CRX_ALL_OPTIMA=0/20, 1/20 .. a part each.
TEST(ConfigurationBound, AgreesWithTheOracleOnAllSmallInstances)
{
    std::int64_t number = 0, looked_at = 0, searched = 0;
    auto const part = part_of_all();
    for (Tokens memory = 1; memory <= 8; ++memory) {
        std::vector<std::pair<std::int32_t, std::int32_t>> kinds;
        for (std::int32_t s = 0; s < memory; ++s)
            for (std::int32_t o = 1; s + o <= memory; ++o) kinds.emplace_back(s, o);
        std::vector<std::size_t> chosen;
        auto const visit = [&](auto&& self, std::size_t from) -> void {
            if (!chosen.empty() && number++ % part.of == part.number) {
                OwnedInstance instance;
                instance.memory = memory;
                for (auto const k : chosen) {
                    instance.arrival.push_back(0);
                    instance.prompt.push_back(kinds[k].first);
                    instance.output.push_back(kinds[k].second);
                }
                instance.lower = instance.upper = instance.output;
                ++looked_at;
                ASSERT_TRUE(agrees(instance, searched));
            }
            if (chosen.size() == 5) return;
            for (auto k = from; k < kinds.size() && !::testing::Test::HasFatalFailure(); ++k) {
                chosen.push_back(k);
                self(self, k);
                chosen.pop_back();
            }
        };
        visit(visit, 0);
        if (HasFatalFailure()) return;
        if (all_optima()) std::cerr << "M = " << memory << ": " << looked_at << " in all\n";
    }
    EXPECT_EQ(looked_at, (number - part.number + part.of - 1) / part.of);
    EXPECT_EQ(number, 1'071'537);
}

// Where the graphs may not grow, what they gave still holds.
TEST(ConfigurationBound, AGraphThatIsTooLargeIsNotUsed)
{
    std::mt19937_64 rng(crx_test::test_seed() + 33);
    int open = 0;
    for (int k = 0; k < 100; ++k) {
        auto const instance = random_instance(rng, 6, 12);
        auto const optimum = crx_test::oracle_optimum(instance);
        auto const groups = request_groups(instance);
        auto const poor = crx_test::one_by_one(instance);
        auto const upper = total_latency(instance, poor);
        auto const root =
            price_bound(instance, groups, upper, {}, *std::ranges::max_element(poor) + 1);
        ConfigurationSettings settings;
        settings.most_arcs = 300;
        settings.most_states = 5;
        auto const outcome = configuration_bound(instance, groups, root, upper, settings);
        ASSERT_LE(outcome.bound.lower_bound, optimum);
        if (outcome.complete) {
            ASSERT_EQ(outcome.best.empty() ? upper : outcome.total_latency, optimum);
        } else
            ++open;
    }
    EXPECT_GT(open, 20);
}

} // namespace
} // namespace crx::baseline
