#include "analysis/sorted_f/sorted_lp.hh"

#include "analysis/baseline/schedule.hh"
#include "analysis/baseline/search/overtaking_schedule.hh"
#include "analysis/sorted_f/relaxation.hh"
#include "support/schedule_check.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <cmath>
#include <coin/Cbc_C_Interface.h>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <random>

namespace crx::sorted_lp {
namespace {

OwnedInstance random_instance(std::mt19937_64& rng, std::size_t most_requests, Tokens most_memory)
{
    OwnedInstance instance;
    instance.memory = 4 + static_cast<Tokens>(rng() % static_cast<std::uint64_t>(most_memory - 3));
    auto const n = 1 + rng() % most_requests;
    for (std::size_t i = 0; i < n; ++i) {
        auto const s = static_cast<std::int32_t>(
            rng() % static_cast<std::uint64_t>((instance.memory + 1) / 2));
        instance.prompt.push_back(s);
        instance.output.push_back(
            1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(instance.memory - s)));
        if (i > 0 && rng() % 4 == 0) { // equal requests
            instance.prompt[i] = instance.prompt[0];
            instance.output[i] = instance.output[0];
        }
    }
    instance.arrival.assign(n, 0);
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// Columns do the rest, so a short climb is enough where CLP solves the program.
RelaxationSettings quick()
{
    RelaxationSettings settings;
    settings.iterations = 50;
    return settings;
}

/// WANG (8)-(11) written down request by request and solved by CBC with no integer variable.
double relaxation_by_cbc(OwnedInstance const& instance, int last_start)
{
    auto const n = static_cast<int>(instance.output.size());
    auto const longest = *std::ranges::max_element(instance.output);
    std::vector<int> begin{0}, row;
    std::vector<double> element, objective;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k <= last_start; ++k) {
            auto const r = static_cast<std::size_t>(i);
            row.push_back(i);
            element.push_back(1);
            for (int t = k + 1; t <= k + instance.output[r]; ++t) {
                row.push_back(n + t - 1);
                element.push_back(instance.prompt[r] + t - k);
            }
            begin.push_back(static_cast<int>(row.size()));
            objective.push_back(k + instance.output[r]);
        }
    auto const rows = static_cast<std::size_t>(n + last_start + longest);
    std::vector<double> lower(rows, -1e30), upper(rows, static_cast<double>(instance.memory));
    std::fill_n(lower.begin(), n, 1.0);
    std::fill_n(upper.begin(), n, 1.0);
    std::unique_ptr<Cbc_Model, decltype(&Cbc_deleteModel)> const model(Cbc_newModel(),
                                                                       Cbc_deleteModel);
    Cbc_loadProblem(model.get(), static_cast<int>(objective.size()), static_cast<int>(rows),
                    begin.data(), row.data(), element.data(), nullptr, nullptr, objective.data(),
                    lower.data(), upper.data());
    Cbc_setLogLevel(model.get(), 0);
    Cbc_setParameter(model.get(), "log", "0");
    Cbc_solve(model.get());
    EXPECT_NE(Cbc_isProvenOptimal(model.get()), 0);
    return Cbc_getObjValue(model.get());
}

TEST(SortedLp, RelaxationEqualsCbc)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int fractional = 0;
    for (int k = 0; k < 60; ++k) {
        auto const instance = random_instance(rng, 10, 24);
        auto const sum = std::accumulate(instance.output.begin(), instance.output.end(), 0);
        auto const relaxation = relax(instance, quick());
        ASSERT_TRUE(relaxation.solved);
        ASSERT_EQ(relaxation.lower, relaxation.upper);
        ASSERT_NEAR(relaxation.upper, relaxation_by_cbc(instance, sum), 1e-6 * sum) << k;
        for (auto const y : relaxation.mean_start) fractional += std::abs(y - std::round(y)) > 0.01;
    }
    EXPECT_GT(fractional, 60); // or the programs were too easy to tell anything
}

// The value is also that of the mean starts: sum of y + o.
TEST(SortedLp, MeanStartsMakeTheValue)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    for (int k = 0; k < 60; ++k) {
        auto const instance = random_instance(rng, 10, 24);
        for (auto const most_entries : {1e9, 0.0}) {
            RelaxationSettings settings;
            settings.most_entries = most_entries;
            settings.iterations = 300;
            auto const relaxation = relax(instance, settings);
            auto sum = std::accumulate(instance.output.begin(), instance.output.end(), 0.0);
            for (auto const y : relaxation.mean_start) sum += y;
            ASSERT_NEAR(sum, relaxation.upper, 1e-6 * sum);
        }
    }
}

// With time coarsened, the optimum of the program lies between the two values.
TEST(SortedLp, CoarseTimeBracketsTheRelaxation)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    double widest = 0;
    for (int k = 0; k < 25; ++k) {
        auto const instance = random_instance(rng, 30, 60);
        auto const exact = relax(instance, quick());
        ASSERT_TRUE(exact.solved);
        RelaxationSettings settings;
        settings.most_entries = 0;
        settings.most_work = static_cast<double>(20 + rng() % 2000);
        settings.iterations = 200;
        auto const coarse = relax(instance, settings);
        ASSERT_FALSE(coarse.solved);
        ASSERT_LE(coarse.lower, exact.upper * (1 + 1e-7));
        ASSERT_GE(coarse.upper, exact.upper * (1 - 1e-7));
        ASSERT_LE(exact.opt_lower_bound, std::ceil(exact.upper * (1 + 1e-7)));
        widest = std::max(widest, coarse.error());
    }
    EXPECT_GT(widest, 0.02); // coarse indeed
}

/// WANG Algorithms 6 and 7 as printed, with the ties of docs/model.md#sorted-lp, in the simplest
/// way.
std::vector<std::size_t> plain_lp_swap(OwnedInstance const& instance, std::vector<double> const& y)
{
    auto const before = [&](std::size_t a, std::size_t b) {
        auto const ya = std::llround(std::ldexp(y[a], 20)), yb = std::llround(std::ldexp(y[b], 20));
        if (ya != yb) return ya < yb;
        if (instance.output[a] != instance.output[b])
            return instance.output[a] < instance.output[b];
        return a < b;
    };
    std::vector<std::size_t> waiting(y.size()), made;
    std::iota(waiting.begin(), waiting.end(), std::size_t{0});
    auto const size = [&](std::size_t i) {
        return Tokens{instance.prompt[i]} + instance.output[i];
    };
    while (!waiting.empty()) {
        std::ranges::sort(waiting, before);
        std::vector<char> in(y.size(), 0);
        Tokens held = 0;
        for (auto const i : waiting)
            if (held + size(i) <= instance.memory) {
                in[i] = 1;
                held += size(i);
            }
        bool improved = true;
        while (improved) {
            improved = false;
            for (auto const a : waiting) {
                if (in[a] == 0) continue;
                for (auto const b : waiting) {
                    if (in[b] != 0 || held - size(a) + size(b) > instance.memory) continue;
                    if (instance.output[b] >= instance.output[a]) continue;
                    in[a] = 0;
                    in[b] = 1;
                    held += size(b) - size(a);
                    improved = true;
                    break;
                }
                if (improved) break;
            }
        }
        std::vector<std::size_t> batch, rest;
        for (auto const i : waiting) (in[i] != 0 ? batch : rest).push_back(i);
        std::ranges::sort(batch, [&](std::size_t a, std::size_t b) {
            return instance.output[a] != instance.output[b]
                       ? instance.output[a] < instance.output[b]
                       : before(a, b);
        });
        made.insert(made.end(), batch.begin(), batch.end());
        waiting = rest;
    }
    return made;
}

TEST(SortedLp, OrdersAndSchedulesAreThePlainOnes)
{
    std::mt19937_64 rng(crx_test::test_seed() + 3);
    int different = 0;
    for (int k = 0; k < 200; ++k) {
        auto const instance = random_instance(rng, 12, 20);
        auto const n = instance.output.size();
        auto const sorted = execute_sorted_lp(instance, quick());
        auto const& y = sorted.relaxation.mean_start;
        auto const order = sorted_lp_order(instance, y), swapped = lp_swap_order(instance, y);
        for (std::size_t p = 0; p + 1 < n; ++p)
            ASSERT_LE(std::llround(std::ldexp(y[order[p]], 20)),
                      std::llround(std::ldexp(y[order[p + 1]], 20)));
        ASSERT_EQ(swapped, plain_lp_swap(instance, y));
        different += swapped != order;
        std::vector<oracle::Request> requests(n);
        for (std::size_t i = 0; i < n; ++i) {
            requests[i].prompt = instance.prompt[i];
            requests[i].output = instance.output[i];
        }
        auto const swap = execute_lp_swap(instance, quick());
        for (auto const& [run, by] :
             {std::pair(&sorted.run, &order), std::pair(&swap.run, &swapped)}) {
            std::vector<std::int64_t> const starts(run->start.begin(), run->start.end());
            ASSERT_TRUE(crx_test::check_schedule(requests, instance.memory, starts).valid());
            ASSERT_EQ(crx_test::prefix_rule_breach(requests, instance.memory, starts, *by),
                      std::nullopt);
        }
    }
    EXPECT_GT(different, 50);
}

// The second half of the steps is averaged, so there must be one. At two the bracket holds.
TEST(SortedLp, AClimbHasTwoSteps)
{
    std::mt19937_64 rng(crx_test::test_seed() + 5);
    auto const instance = random_instance(rng, 12, 30);
    RelaxationSettings settings;
    settings.most_entries = 0; // no program that would do without the average
    settings.iterations = 2;
    auto const bracket = relax(instance, settings);
    auto const exact = relax(instance, quick());
    EXPECT_LE(bracket.lower, exact.upper + 1e-6);
    EXPECT_GE(bracket.upper, exact.lower - 1e-6);
    settings.iterations = 1;
    EXPECT_DEATH(relax(instance, settings), "broken contract: .*iterations >= 2");
}

// One part a request is a list schedule; more parts never go below the relaxation.
TEST(SortedLp, SplitScheduleIsAListScheduleOfParts)
{
    std::mt19937_64 rng(crx_test::test_seed() + 4);
    for (int k = 0; k < 200; ++k) {
        auto const instance = random_instance(rng, 12, 30);
        std::vector<std::size_t> order(instance.output.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::shuffle(order, rng);
        using ListSchedule = baseline::OvertakingSchedule<std::int16_t>;
        ListSchedule list(instance);
        auto const whole =
            list.keep({order.begin(), order.end()}, ListSchedule::Releases(order.size(), 0), 0);
        ASSERT_EQ(split_schedule(instance, order, 1).value, static_cast<double>(whole));
        ASSERT_GE(split_schedule(instance, order, 7).value, relax(instance, quick()).upper - 1e-6);
    }
}

} // namespace
} // namespace crx::sorted_lp
