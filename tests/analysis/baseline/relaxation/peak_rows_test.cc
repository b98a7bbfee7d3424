#include "analysis/baseline/relaxation/dual_ascent.hh"
#include "analysis/baseline/schedule.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace crx::baseline {
namespace {

/// A random instance and a schedule of it: each request as early as it fits after a random release,
/// in random order, so that some are delayed and most stand close.
struct Scheduled
{
    OwnedInstance instance;
    Starts starts;
};

Scheduled random_schedule(std::mt19937_64& rng)
{
    Scheduled made;
    auto& instance = made.instance;
    instance.memory = 4 + static_cast<Tokens>(rng() % 30);
    auto const n = 2 + rng() % 8;
    auto const most_prompt = rng() % static_cast<std::uint64_t>(instance.memory / 2 + 1);
    for (std::size_t i = 0; i < n; ++i) {
        auto const s = static_cast<std::int32_t>(rng() % (most_prompt + 1));
        instance.prompt.push_back(s);
        instance.output.push_back(
            1 + static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(instance.memory - s)));
        instance.arrival.push_back(0);
        made.starts.push_back(1000 * static_cast<Rounds>(i + 1)); // out of the others' way
    }
    instance.lower = instance.upper = instance.output;
    for (std::size_t i = 0; i < n; ++i) {
        made.starts[i] = static_cast<Rounds>(rng() % 12);
        while (schedule_fault(instance, made.starts)) ++made.starts[i];
    }
    return made;
}

/// Units of a request at tau = c / 2, from the definition in twice the rounds and k + 1 times the
/// tokens.
std::int64_t plain_units(OwnedInstance const& instance, std::size_t i, Rounds start, Rounds c,
                         std::int64_t k, Tokens largest_prompt)
{
    if (instance.prompt[i] > largest_prompt) return 0;
    auto const peak = Tokens{instance.prompt[i]} + instance.output[i];
    auto const past = c - 2 * (start + instance.output[i]); // 2 (tau - e)
    if (c <= 2 * start) return 0;
    if (past > 0 && past * (k + 1) > 2 * instance.memory - 2 * (k + 1) * largest_prompt) return 0;
    auto const twice = 2 * peak - (past > 0 ? k * past : -past);
    std::int64_t units = 0;
    for (std::int64_t j = 1; j <= k; ++j) units += (k + 1) * twice > 2 * j * instance.memory;
    return units;
}

std::vector<std::int64_t> units_by_spans(Scheduled const& made,
                                         std::vector<RequestGroup> const& groups,
                                         PeakRows const& rows, Rounds longer)
{
    Rounds last = *std::ranges::max_element(made.starts);
    std::vector<std::int64_t> units(rows.instants(last + 1) + 8, 0);
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (auto const member : groups[g].members)
            for (auto const& span : rows.spans(g)) {
                auto const end = 2 * (made.starts[member] + groups[g].output);
                for (auto c = end + span.first; c < end + span.last + longer; ++c)
                    ++units[static_cast<std::size_t>(c)];
            }
    return units;
}

// The claim itself: no schedule exceeds a row. The spans are the definition's, with some S. Rows
// are reached, and spans longer by one half-round would be wrong.
TEST(PeakRows, NoScheduleExceedsThem)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int reached = 0, longer_breaks = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        auto const made = random_schedule(rng);
        auto const groups = request_groups(made.instance);
        auto const k = 1 + static_cast<std::int32_t>(rng() % 5);
        PeakRows const rows(groups, made.instance.memory, k);
        auto const units = units_by_spans(made, groups, rows, 0);
        auto const most = *std::ranges::max_element(units);
        ASSERT_LE(most, k) << trial;
        reached += most == k;
        auto const wrong = units_by_spans(made, groups, rows, 1);
        longer_breaks += *std::ranges::max_element(wrong) > k;

        bool some_limit_fits = false;
        for (auto const limit : made.instance.prompt) {
            bool same = true;
            for (std::size_t c = 0; c < units.size(); ++c) {
                std::int64_t plain = 0;
                for (std::size_t i = 0; i < made.starts.size(); ++i)
                    plain += plain_units(made.instance, i, made.starts[i], static_cast<Rounds>(c),
                                         k, limit);
                same = same && plain == units[c];
            }
            some_limit_fits = some_limit_fits || same;
        }
        ASSERT_TRUE(some_limit_fits) << trial;
    }
    EXPECT_GT(reached, 2000);
    EXPECT_GT(longer_breaks, 50);
}

} // namespace
} // namespace crx::baseline
