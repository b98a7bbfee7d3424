// WANG section 5's approximations have no constant ratio: families, each with its total latency by
// hand, whose requests vanish against M as Theorem 3 assumes (docs/findings/sorted-f.md).
#include "analysis/sorted_f/sorted_f.hh"
#include "kernels/cpu/single.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <string>

namespace crx::sorted_f {
namespace {

struct Group
{
    std::int64_t count;
    std::int32_t prompt, output;
};

OwnedInstance instance_of(Tokens memory, std::vector<Group> const& groups)
{
    OwnedInstance instance;
    instance.memory = memory;
    for (auto const& [count, prompt, output] : groups)
        for (std::int64_t k = 0; k < count; ++k) {
            instance.prompt.push_back(prompt);
            instance.output.push_back(output);
            instance.arrival.push_back(0);
        }
    instance.lower = instance.upper = instance.output;
    return instance;
}

Rounds latency(OwnedInstance const& instance, Settings const& settings)
{
    return execute(instance, settings).value().outcome.total_latency;
}

/// Of the prefix rule with the last group first: a schedule, so at least the optimum.
Rounds last_group_first(OwnedInstance const& instance, std::int64_t last)
{
    std::vector<std::size_t> order(instance.output.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::rotate(order, order.end() - last);
    return execute_in_order(instance, order).outcome.total_latency;
}

/// Written by --gtest_output=xml:FILE.
void record_ratio(std::string const& name, std::int64_t size, Rounds total, Rounds best)
{
    testing::Test::RecordProperty(
        name + "_" + std::to_string(size),
        std::to_string(static_cast<double>(total) / static_cast<double>(best)));
}

// M = a (a^2 + a): a of (a^2, a) fill it, and c (a - 1) of (a^2 + a, 1), a token larger, do not fit
// in place of one. They wait a rounds, as K (a^2 + t + 1) + a^2 + a + 1 > M from t = 0 on, and then
// run a - 1 at a time. With c = sqrt(2a) the ratio grows like sqrt(a/2), M^(1/6).
TEST(UnboundedSelectors, Swap)
{
    for (auto const& [a, c] : {std::pair<std::int32_t, std::int64_t>{8, 4}, {32, 8}, {128, 16}}) {
        auto const instance =
            instance_of(Tokens{a} * (a * a + a), {{a, a * a, a}, {c * (a - 1), a * a + a, 1}});
        auto const total = latency(instance, {Selector::swap, 0, 1, 0});
        EXPECT_EQ(total, a * a + (a - 1) * (c * a + c * (c + 1) / 2));
        auto const best = last_group_first(instance, c * (a - 1));
        EXPECT_GT(total * total * 2, a * best * best);
        record_ratio("a", a, total, best);
    }
}

// 3 a^2 of (0, 1), a of (4 a^3 + 1 - a, a), a^2 of (4 a^2 - 1, 1); M holds exactly the first two
// groups. Of any half of the requests more than 30 % are (0, 1) from a = 3 on, so Phase 1 takes
// those alone; then the long ones have the least o / (s + o). The last group would need 4 a^2, and
// beside the long ones 4 a^2 - a t - a are free. Total a^3 + 5 a^2 where 5 a^2 + a is possible.
TEST(UnboundedSelectors, QuantileWhateverItsSample)
{
    for (std::int32_t const a : {3, 8, 16, 32}) {
        std::int64_t const n = a * a;
        auto const instance =
            instance_of(4 * n * n + 3 * n + a,
                        {{3 * n, 0, 1}, {a, 4 * a * a * a + 1 - a, a}, {n, 4 * a * a - 1, 1}});
        for (std::uint64_t number = 0; number < 20; ++number)
            ASSERT_EQ(latency(instance, {Selector::quantile, 0, 1, number}), n * a + 5 * n);
        EXPECT_EQ(last_group_first(instance, n), 5 * n + a);
        record_ratio("a", a, n * a + 5 * n, 5 * n + a);
    }
}

// More than `cells` times x^2 in M, K times: a size of x^2 is less than a cell, so all round to
// none, and the table knows the k shortest outputs alone: K x of (x^2 - 1, 1) before M/3 of (1, 2),
// as MC-SF has it. F of the first batch is 1/K, the least is 2/(M/3). With K = sqrt M the ratio
// grows like (2/7) M^(1/4).
TEST(UnboundedSelectors, ScaledWithAnyNumberOfCells)
{
    struct Case
    {
        std::int32_t cells, K, x;
    };
    for (auto const& [cells, K, x] :
         {Case{5, 8, 8}, Case{5, 8, 16}, Case{15, 16, 8}, Case{30, 31, 6}}) {
        std::int64_t const memory = K * x * x, shorts = memory / 3;
        auto const instance = instance_of(memory, {{K * x, x * x - 1, 1}, {shorts, 1, 2}});
        auto const made = batches(instance, {Selector::scaled, cells, 1, 0}).value();
        ASSERT_EQ(made.front().size(), static_cast<std::size_t>(K));
        ASSERT_EQ(instance.output[made.front().back()], 1);
        auto const total = latency(instance, {Selector::scaled, cells, 1, 0});
        EXPECT_EQ(total, K * x * (x + 1) / 2 + shorts * (x + 2));
        auto const best = last_group_first(instance, shorts);
        EXPECT_GT(7 * total, 2 * x * best);
        if (K == 8) record_ratio("x", x, total, best);
        if (x != 8) continue;
        EXPECT_EQ(latency(instance, {}), best); // exact sees the difference
    }
}

} // namespace
} // namespace crx::sorted_f
