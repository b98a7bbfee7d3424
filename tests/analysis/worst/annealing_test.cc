#include "analysis/worst/annealing.hh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/shortest_first.cuh"
#include "oracle/oracle.hh"
#include "tests/support/exhaustive_optimum.hh"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

namespace crx::worst {
namespace {

Objective mc_sf_over(Over over)
{
    Objective objective;
    objective.numerator = policy_cost({ShortestFirst::kind, {}}, 0, 1, Measure::total_latency);
    objective.over = over;
    return objective;
}

oracle::Schedule by_oracle(std::string const& id, OwnedInstance const& instance,
                           std::uint64_t number = 0)
{
    std::vector<oracle::Request> requests;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        requests.push_back({instance.arrival[i], instance.prompt[i], instance.output[i],
                            instance.lower[i], instance.upper[i]});
    return oracle::simulate({id}, requests, instance.memory, 1, number);
}

InstanceClass const classes[] = {
    {8, 12, 0, Restriction::none, Told::outputs},
    {6, 20, 9, Restriction::equal_prompts, Told::intervals},
    {5, 16, 0, Restriction::small, Told::intervals},
    {7, 9, 3, Restriction::identical, Told::outputs},
    {7, 12, 0, Restriction::equal_prompts, Told::common, 1, 3},
    {4, 12, 0, Restriction::small, Told::common, 2, 3},
    {1, 1, 0, Restriction::none, Told::outputs},
};

TEST(InstanceClass, MovesStayInside)
{
    for (auto const& of : classes) {
        WordStream words(7, 0, 0);
        auto member = random_member(of, words);
        for (int k = 0; k < 5000; ++k) {
            ASSERT_TRUE(is_member(of, member));
            member = k % 100 == 99 ? random_member(of, words) : neighbour(of, member, words);
        }
        member.prompt[0] = static_cast<std::int32_t>(of.memory);
        EXPECT_FALSE(is_member(of, member));
    }
}

// The measures are sums over the oracle's runs.
TEST(PolicyCost, IsTheOracles)
{
    for (auto const& of : classes) {
        if (of.told == Told::outputs) continue;
        WordStream words(8, 0, 0);
        for (int k = 0; k < 20; ++k) {
            auto const instance = random_member(of, words);
            for (auto const* id : {"mc-sf", "a-max", "a-min"}) {
                std::int64_t latency = 0, makespan = 0, slowest = 0;
                auto const draws = policy_info(find_policy(id)->kind).draws_nothing ? 1 : 3;
                for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(draws);
                     ++number) {
                    auto const schedule = by_oracle(id, instance, number);
                    latency += schedule.total_latency;
                    makespan += schedule.makespan;
                    std::int64_t last = 0; // n < 100: the largest
                    for (std::size_t i = 0; i < instance.output.size(); ++i)
                        last = std::max(last, schedule.completion[i] - instance.arrival[i]);
                    slowest += last;
                }
                PolicySpec const spec{find_policy(id)->kind, {}};
                auto const of_measure = [&](Measure measure) {
                    return policy_cost(spec, 1, 3, measure).sum(instance);
                };
                EXPECT_EQ(of_measure(Measure::total_latency), latency);
                EXPECT_EQ(of_measure(Measure::makespan), makespan);
                EXPECT_EQ(of_measure(Measure::p99), slowest);
            }
        }
    }
}

// Draws that engines run side by side are the draws run one by one, whatever came before.
TEST(PolicyCost, DrawsAreThoseOfSingleRuns)
{
    for (auto const* id : {"a-min", "a-min-evict", "a-random", "a-max"}) {
        PolicySpec const spec{find_policy(id)->kind, {}};
        auto const cost = policy_cost(spec, 3, 50, Measure::total_latency);
        auto const makespans = policy_cost(spec, 3, 11, Measure::makespan);
        for (auto const& of : classes) {
            WordStream words(11, 0, 0);
            for (int k = 0; k < 10; ++k) {
                auto const instance = random_member(of, words);
                std::int64_t latency = 0, makespan = 0;
                for (int draw = 0; draw < cost.draws; ++draw) {
                    auto const outcome = execute_single(spec, instance, 3, draw).outcome;
                    ASSERT_GT(outcome.finished, 0);
                    latency += outcome.total_latency;
                    if (draw < makespans.draws) makespan += outcome.makespan;
                }
                EXPECT_EQ(cost.sum(instance), latency) << id;
                EXPECT_EQ(makespans.sum(instance), makespan) << id;
            }
        }
    }
}

TEST(Objective, SettlesOnTheOptimumAndEstimatesNeverExceedIt)
{
    auto const objective = mc_sf_over(Over::opt);
    InstanceClass const of{4, 7, 2, Restriction::none, Told::outputs};
    WordStream words(9, 0, 0);
    for (int k = 0; k < 60; ++k) {
        auto const instance = random_member(of, words);
        auto const settled = objective.settle(instance);
        ASSERT_TRUE(settled && settled->proven());
        EXPECT_EQ(settled->denominator, crx_test::exhaustive_optimum(instance));
        EXPECT_EQ(settled->numerator, by_oracle("mc-sf", instance).total_latency);
        EXPECT_FALSE(baseline::schedule_fault(instance, settled->starts));
        auto const truth = settled->ratio.value();
        auto const estimate = objective.estimate(instance, 0);
        ASSERT_TRUE(estimate);
        EXPECT_LE(*estimate, truth);
        // What is left early is below the threshold indeed.
        EXPECT_TRUE(objective.estimate(instance, *estimate));
        EXPECT_FALSE(objective.estimate(instance, truth * 1.001));
    }
}

// What is remembered is what the objective says, at limits above and below the value; most of a
// walk is remembered.
TEST(KnownEstimates, AreTheObjectives)
{
    for (auto const over : {Over::opt, Over::volume}) {
        auto const objective = mc_sf_over(over);
        auto counted = objective;
        int asked = 0;
        counted.numerator.sum = [&](OwnedInstance const& instance) {
            ++asked;
            return objective.numerator.sum(instance);
        };
        KnownEstimates known(counted);
        InstanceClass const of{3, 5, 1, Restriction::none, Told::intervals};
        WordStream words(12, 0, 0);
        auto member = random_member(of, words);
        for (int k = 0; k < 3000; ++k) {
            auto const least = static_cast<double>(words.bounded(9)) / 4;
            ASSERT_EQ(known.estimate(member, least), objective.estimate(member, least));
            auto const value = objective.estimate(member, 0);
            ASSERT_TRUE(value);
            ASSERT_EQ(known.estimate(member, *value), value);
            member = neighbour(of, member, words);
        }
        EXPECT_LT(asked, 3000);
    }
}

// Two requests that fill memory between small ones: 30/11 at n = 8.
TEST(Anneal, FindsThirtyElevenths)
{
    InstanceClass const of{8, 12, 0, Restriction::none, Told::outputs};
    int heard = 0;
    double last = 0;
    auto const result =
        anneal(of, mc_sf_over(Over::opt), {6, 4000, 1}, {}, [&](Found const& found) {
            ++heard;
            EXPECT_GE(found.value, last);
            last = found.value;
        });
    ASSERT_TRUE(result.best);
    EXPECT_GE(result.best->value, 2.7);
    EXPECT_TRUE(result.best->settled.proven());
    EXPECT_TRUE(is_member(of, result.best->instance));
    EXPECT_GT(heard, 1);
    EXPECT_EQ(last, result.best->value);
    EXPECT_EQ(result.neighbours, 6 * chains_a_generation * 4000);
}

TEST(Anneal, DoesNotDependOnThreads)
{
    InstanceClass const of{6, 9, 4, Restriction::none, Told::outputs};
    auto const run = [&](std::size_t threads) {
        tbb::global_control const limit(tbb::global_control::max_allowed_parallelism, threads);
        return anneal(of, mc_sf_over(Over::opt), {3, 100, 5}).best.value().instance;
    };
    auto const one = run(1), two = run(2);
    EXPECT_EQ(one.memory, two.memory);
    EXPECT_EQ(one.output, two.output);
    EXPECT_EQ(one.prompt, two.prompt);
    EXPECT_EQ(one.arrival, two.arrival);
}

// MC-SF with its ties reversed is told from MC-SF.
TEST(Anneal, BreaksAPlantedPolicy)
{
    auto objective = mc_sf_over(Over::cost);
    objective.denominator = objective.numerator;
    auto const honest = objective.numerator.sum;
    objective.numerator.sum = [honest](OwnedInstance const& instance) {
        auto reversed = instance;
        for (auto* v : {&reversed.prompt, &reversed.output, &reversed.lower, &reversed.upper})
            std::ranges::reverse(*v);
        return honest(reversed);
    };
    InstanceClass const of{5, 9, 0, Restriction::none, Told::outputs};
    auto const result = anneal(of, objective, {2, 1000, 1});
    ASSERT_TRUE(result.best);
    EXPECT_GT(result.best->value, 1.2);
    EXPECT_NE(by_oracle("mc-sf", result.best->instance).total_latency,
              result.best->settled.numerator);
    objective.numerator.sum = honest;
    EXPECT_EQ(anneal(of, objective, {2, 1000, 1}).best.value().value, 1);
}

TEST(Anneal, BeginsWithWhatIsKnownAndStopsWhenAsked)
{
    OwnedInstance known;
    known.memory = 6;
    known.prompt = {0, 5, 0, 5, 0, 0, 0, 0};
    known.output = known.lower = known.upper = std::vector<std::int32_t>(8, 1);
    known.arrival.assign(8, 0);
    InstanceClass const of{8, 6, 0, Restriction::none, Told::outputs};
    AnnealingLimits limits{INT64_MAX, 100, 1, [] { return true; }};
    auto const result = anneal(of, mc_sf_over(Over::opt), limits, {known});
    ASSERT_TRUE(result.best);
    EXPECT_EQ(result.best->settled.numerator * 11, result.best->settled.denominator * 30);
    EXPECT_EQ(result.neighbours, 0);
}

/// TEL of A_min with ties by index, in plain rounds; `forgets`: of the first overflow one request
/// too few is cancelled. Nothing where it does not end.
std::optional<std::int64_t> a_min(OwnedInstance const& instance, bool forgets)
{
    auto const n = instance.output.size();
    std::vector<std::int64_t> e(instance.lower.begin(), instance.lower.end()), start(n, -1);
    std::vector<bool> done(n, false);
    std::int64_t total = 0;
    std::size_t finished = 0;
    for (std::int64_t t = 0; finished < n; ++t) {
        if (t > 1000) return std::nullopt;
        auto const active = [&](std::size_t i) { return start[i] >= 0 && !done[i]; };
        auto const held = [&] {
            Tokens sum = 0;
            for (std::size_t i = 0; i < n; ++i)
                if (active(i)) sum += instance.prompt[i] + t - start[i] + 1;
            return sum;
        };
        auto const least = [&](bool of_active) {
            auto best = n;
            for (std::size_t i = 0; i < n; ++i)
                if (!done[i] && active(i) == of_active && (best == n || e[i] < e[best])) best = i;
            return best;
        };
        while (held() > instance.memory) {
            auto const i = least(true);
            if (forgets) {
                forgets = false;
                break;
            }
            e[i] = std::max(e[i], t - start[i]);
            start[i] = -1;
        }
        for (auto i = least(false); i < n; i = least(false)) {
            start[i] = t;
            auto const fits_at = [&](std::int64_t time) {
                Tokens sum = 0;
                for (std::size_t k = 0; k < n; ++k)
                    if (active(k) && time - start[k] <= std::max(e[k], t - start[k] + 1))
                        sum += instance.prompt[k] + time - start[k];
                return sum <= instance.memory;
            };
            bool fits = true;
            for (auto time = t + 1; time <= t + instance.memory; ++time)
                fits = fits && fits_at(time);
            if (fits) continue;
            start[i] = -1;
            break;
        }
        for (std::size_t i = 0; i < n; ++i)
            if (active(i) && t + 1 - start[i] == instance.output[i]) {
                done[i] = true;
                ++finished;
                total += t + 1;
            }
    }
    return total;
}

Cost cost_of(bool forgets)
{
    return {"a-min by index", 1,
            [forgets](OwnedInstance const& instance) { return a_min(instance, forgets); }};
}

TEST(Anneal, TellsAMinFromOneThatForgetsACancellation)
{
    Objective objective;
    objective.over = Over::cost;
    objective.numerator = cost_of(false);
    objective.denominator = cost_of(true);
    InstanceClass const of{5, 9, 0, Restriction::none, Told::intervals};
    auto const broken = anneal(of, objective, {1, 400, 1});
    ASSERT_TRUE(broken.best);
    EXPECT_GT(broken.best->value, 1.2);
    objective.denominator = cost_of(false);
    EXPECT_EQ(anneal(of, objective, {1, 400, 1}).best.value().value, 1);
}

} // namespace
} // namespace crx::worst
