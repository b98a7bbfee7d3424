#include "kernels/engines/cohorts/overflow_draw.cuh"
#include "support/test_seed.hh"
#include "support/two_sample.hh"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

namespace crx {
namespace {

using crx_test::distance;
using crx_test::mean_distance;
using crx_test::Totals;

struct Overflow
{
    std::vector<std::int64_t> pool;
    std::vector<Tokens> tokens;
    Tokens excess;
};
// Cancelled of each group.
using Cancelled = std::vector<std::int64_t>;

Cancelled by_draw(Overflow const& o, WordStream& words)
{
    std::vector<CancelGroup> group;
    for (std::size_t j = 0; j < o.pool.size(); ++j)
        group.push_back({static_cast<std::int32_t>(j), o.tokens[j], o.pool[j], 0, 0});
    std::vector<std::int64_t> sums(group.size() / OverflowRule::block + 1);
    auto const size = static_cast<std::int64_t>(group.size());
    OverflowDraw(group.data(), size, sums.data(), words).execute(o.excess);
    Cancelled cancelled;
    for (auto const& g : group) cancelled.push_back(g.cancelled);
    return cancelled;
}
// The rule itself: members one by one, uniformly from those that are left, or from all.
Cancelled one_by_one(Overflow const& o, std::mt19937_64& rng, bool replaced = false)
{
    std::vector<std::size_t> member;
    for (std::size_t j = 0; j < o.pool.size(); ++j)
        member.insert(member.end(), static_cast<std::size_t>(o.pool[j]), j);
    Cancelled cancelled(o.pool.size());
    for (auto excess = o.excess; excess > 0 && !member.empty();) {
        auto const at = std::uniform_int_distribution<std::size_t>(0, member.size() - 1)(rng);
        ++cancelled[member[at]];
        excess -= o.tokens[member[at]];
        if (replaced) continue;
        member[at] = member.back();
        member.pop_back();
    }
    return cancelled;
}

// Few of each group: one by one. Many: hypergeometric draws first. Unequal holdings, a group of
// one, more groups than a block sums up.
std::vector<Overflow> const overflows = {
    {{3, 2}, {2, 5}, 9},
    {{1, 40, 7}, {3, 4, 9}, 60},
    {{200, 300, 400}, {1, 5, 9}, 2500},
    {{1500, 1, 900}, {2, 50, 7}, 6000},
    {{30, 3000}, {1000, 1}, 15000}, // the first guess is too many in two of five
    {{90, 80, 70, 60, 50, 40, 30, 20, 10, 90, 80, 70},
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
     2500},
};

// H0: how many are cancelled of the first group, and of all, has the law of the rule. 3e-9 a shape,
// 2e-8 in all. Power: members drawn with replacement, planted below, are rejected.
TEST(OverflowDraw, HasTheLawOfDrawsOneByOne)
{
    auto const seed = crx_test::test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    WordStream words(seed, stream_policy, 7);
    std::mt19937_64 rng(seed + 903);
    int by_parts = 0;
    for (std::size_t k = 0; k < overflows.size(); ++k) {
        auto const& o = overflows[k];
        SCOPED_TRACE(k);
        auto const left = std::accumulate(o.pool.begin(), o.pool.end(), std::int64_t{0});
        auto const held =
            std::inner_product(o.pool.begin(), o.pool.end(), o.tokens.begin(), Tokens{0});
        by_parts +=
            !OverflowRule::few(o.excess, left, held, static_cast<std::int64_t>(o.pool.size()));
        Totals first[3], all[3];
        for (int run = 0; run < 4000; ++run) {
            Cancelled const cancelled[] = {by_draw(o, words), one_by_one(o, rng),
                                           one_by_one(o, rng, true)};
            for (int way = 0; way < 3; ++way) {
                ++first[way][cancelled[way].front()];
                ++all[way][std::accumulate(cancelled[way].begin(), cancelled[way].end(),
                                           std::int64_t{0})];
            }
        }
        EXPECT_LT(distance(first[0], first[1]), 1);
        EXPECT_LT(distance(all[0], all[1]), 1);
        EXPECT_LT(mean_distance(first[0], first[1]), 1);
        EXPECT_LT(mean_distance(all[0], all[1]), 1);
        EXPECT_GT(distance(first[2], first[1]), 1);
    }
    EXPECT_GE(by_parts, 3);
}

} // namespace
} // namespace crx
