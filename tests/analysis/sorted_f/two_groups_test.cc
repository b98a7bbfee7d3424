#include "analysis/sorted_f/two_groups.hh"

#include "analysis/adversary/grouped_run.hh"
#include "analysis/adversary/wang_family.hh"
#include "analysis/sorted_f/sorted_f.hh"
#include "kernels/policies/shortest_first.cuh"
#include "support/test_seed.hh"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx::sorted_f {
namespace {

OwnedInstance one_by_one(std::vector<RequestGroup> const& groups, Tokens memory)
{
    OwnedInstance instance;
    instance.memory = memory;
    for (auto const& g : groups)
        for (std::int64_t c = 0; c < g.count; ++c) {
            instance.arrival.push_back(g.arrival);
            instance.prompt.push_back(g.prompt);
            instance.output.push_back(g.output);
        }
    instance.lower = instance.upper = instance.output;
    return instance;
}

std::vector<RequestGroup> random_groups(std::mt19937_64& rng, Tokens memory)
{
    std::vector<RequestGroup> groups(2);
    for (auto& g : groups) {
        auto const size = 1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(memory));
        g.output = 1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(size));
        g.prompt = size - g.output;
        g.lower = g.upper = g.output;
        g.count = static_cast<std::int64_t>(rng() % 25);
    }
    if (groups[0].count + groups[1].count == 0) groups[0].count = 1;
    return groups;
}

// The order's lengths and the totals are those of the exact selector request by request.
TEST(TwoGroups, EqualsTheExactSelector)
{
    std::mt19937_64 rng(crx_test::test_seed() + 30);
    int mixed = 0;
    for (int k = 0; k < 1500; ++k) {
        auto const memory = 2 + static_cast<Tokens>(rng() % 40);
        auto const groups = random_groups(rng, memory);
        auto const instance = one_by_one(groups, memory);
        auto const made = batches(instance, {}).value();
        for (auto const& batch : made)
            mixed += batch.front() < static_cast<std::size_t>(groups[0].count) &&
                     batch.back() >= static_cast<std::size_t>(groups[0].count);
        std::vector<std::pair<std::int32_t, std::int32_t>> truth, order; // equal groups: no names
        for (auto const i : order_of(made))
            truth.emplace_back(instance.prompt[i], instance.output[i]);
        for (auto const& segment : order_of_two_groups(groups, memory))
            order.insert(order.end(), static_cast<std::size_t>(segment.count),
                         {groups[segment.group].prompt, groups[segment.group].output});
        ASSERT_EQ(order, truth);
        auto const run = run_two_groups(groups, memory);
        auto const one = execute(instance, {}).value();
        ASSERT_EQ(run.outcome.total_latency, one.outcome.total_latency);
        ASSERT_EQ(run.outcome.makespan, one.outcome.makespan);
        ASSERT_EQ(run.outcome.peak_memory, one.outcome.peak_memory);
    }
    EXPECT_GT(mixed, 100);
}

TEST(TwoGroups, VolumeOfGroupsEqualsVolume)
{
    std::mt19937_64 rng(crx_test::test_seed() + 31);
    for (int k = 0; k < 2000; ++k) {
        auto const memory = 2 + static_cast<Tokens>(rng() % 60);
        auto groups = random_groups(rng, memory);
        if (k % 2 == 0) groups.push_back(random_groups(rng, memory).front());
        ASSERT_EQ(static_cast<std::int64_t>(volume_of_groups(groups, memory)),
                  volume_bound(one_by_one(groups, memory)));
    }
}

// Each family hurts its policy by at least its bound, up to lower order at these M, and Sorted-F
// less than twice; the printed ones do not grow.
TEST(WangFamilies, HurtTheirPolicies)
{
    for (auto const& family : wang_families()) {
        if (family.hurts == "sorted-f") continue;
        auto const printed = family.of_theorem;
        std::vector<double> ratios;
        for (std::int64_t const root : {16, 64}) {
            auto const groups = family.make(root);
            auto const memory = root * root;
            auto const kind =
                family.hurts == "mc-sf" ? ShortestFirst::kind : ShortestTotalFirst::kind;
            auto const hurt = run_grouped({kind, {}}, groups, memory).outcome.total_latency;
            auto const other =
                run_segments(groups, memory, {{1, groups[1].count}, {0, groups[0].count}})
                    .outcome.total_latency;
            auto const sorted_f = run_two_groups(groups, memory).outcome.total_latency;
            EXPECT_LE(static_cast<std::int64_t>(volume_of_groups(groups, memory)),
                      std::min({hurt, other, sorted_f}));
            EXPECT_LE(sorted_f, 2 * std::min(hurt, other)) << family.id;
            ratios.push_back(static_cast<double>(hurt) / static_cast<double>(other));
            if (!printed) {
                EXPECT_GT(ratios.back(), 0.6 * family.coefficient *
                                             std::pow(static_cast<double>(memory), family.exponent))
                    << family.id;
            }
        }
        if (printed) {
            EXPECT_LT(ratios[1], 3) << family.id; // limits 4/3 and 3
        } else {
            EXPECT_GT(ratios[1], 1.5 * ratios[0]) << family.id;
        }
    }
}

// A competitive ratio of at least 1 + 1 / sqrt 2 with requests that vanish against M: the ratio to
// a schedule, so at most that to OPT, rises towards it with M.
TEST(WangFamilies, SortedFWaitsForNothing)
{
    auto const& family = *find_wang_family("sorted-f-waits");
    double previous = 1;
    for (std::int64_t const r : {5, 10, 30, 60}) {
        auto const groups = family.make(r * r);
        auto const memory = r * r * r * r;
        for (auto const& g : groups)
            EXPECT_LE((Tokens{g.prompt} + g.output) * (r + 1), memory + r + 1);
        std::vector<Segment> const short_first{{0, groups[0].count}, {1, groups[1].count}};
        EXPECT_EQ(order_of_two_groups(groups, memory), short_first);
        auto const waits = run_two_groups(groups, memory);
        auto const beside = run_segments(groups, memory, {short_first[1], short_first[0]});
        // They start in the last round of the short ones.
        EXPECT_EQ(beside.outcome.makespan - 1, waits.outcome.makespan - groups[1].output);
        auto const ratio = static_cast<double>(waits.outcome.total_latency) /
                           static_cast<double>(beside.outcome.total_latency);
        EXPECT_GT(ratio, previous);
        EXPECT_LT(ratio, family.coefficient);
        previous = ratio;
    }
    EXPECT_GT(previous, 1.68);
}

} // namespace
} // namespace crx::sorted_f
