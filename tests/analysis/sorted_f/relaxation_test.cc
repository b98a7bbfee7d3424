#include "analysis/sorted_f/relaxation.hh"

#include "support/one_by_one.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx::sorted_lp {
namespace {

OwnedInstance small_requests(std::mt19937_64& rng)
{
    OwnedInstance instance;
    instance.memory = 40;
    for (int i = 0; i < 24; ++i) {
        instance.prompt.push_back(1 + static_cast<std::int32_t>(rng() % 5));
        instance.output.push_back(1 + static_cast<std::int32_t>(rng() % 34));
    }
    instance.arrival.assign(instance.output.size(), 0);
    instance.lower = instance.upper = instance.output;
    return instance;
}

// Time is over after the first program, when columns have been added that it has not seen: their
// values lie past the end of the solution (the address sanitizer sees it, and the shares of a
// request then need not sum to 1).
TEST(ColumnProgram, CutAfterAProgramTheScheduleIsThatOfTheProgram)
{
    std::mt19937_64 rng(crx_test::test_seed());
    int cut = 0;
    for (int k = 0; k < 20; ++k) {
        auto const instance = small_requests(rng);
        auto const groups = baseline::request_groups(instance);
        auto const known = crx_test::one_by_one(instance);
        auto const starts = known.back() + 1;
        auto const lp = solve_by_columns(instance, groups, starts, {}, known, 0);
        if (lp.solved) continue;
        ++cut;
        ASSERT_EQ(lp.schedule.size(), groups.size());
        for (auto const& shares : lp.schedule) {
            double sum = 0;
            for (auto const& share : shares) sum += share.part;
            ASSERT_NEAR(sum, 1, 1e-6);
        }
    }
    EXPECT_GE(cut, 5);
}

} // namespace
} // namespace crx::sorted_lp
