#include "host/sweep/cell_queue.hh"
#include "host/sweep/shard_work.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

/// How a round's work is cut into shards.
namespace crx_test {
namespace {

using namespace crx;

struct Round
{
    std::vector<CellRanges> due;
    std::vector<std::int64_t> costs;
};

/// Up to 40 cells with gaps in them, of instances that cost from 1 to 10^6.
Round random_round(std::mt19937_64& random)
{
    auto const below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    Round round;
    for (std::int64_t k = 1 + below(40); k > 0; --k) {
        CellRanges work;
        work.index = k;
        work.cell.sweep = "s";
        work.cell.coordinates = {{"x", static_cast<double>(k)}};
        std::int64_t at = below(100);
        for (auto ranges = 1 + below(3); ranges > 0; --ranges) {
            work.ranges.push_back({at, 1 + below(300)});
            at += work.ranges.back().count + 1 + below(50);
        }
        round.due.push_back(work);
        std::int64_t cost = 1;
        for (auto digits = below(7); digits > 0; --digits) cost *= 10;
        round.costs.push_back(cost);
    }
    return round;
}

double cost_of(std::vector<CellRanges> const& share, Round const& round)
{
    double cost = 0;
    for (auto const& work : share)
        for (std::size_t k = 0; k < round.due.size(); ++k)
            if (round.due[k].index == work.index)
                cost += static_cast<double>(total(work.ranges) * round.costs[k]);
    return cost;
}

// The shards are disjoint and make up the round. None costs more than an equal part and what the
// dearest piece of each cell costs that could not be cut further.
TEST(Share, IsAnEqualPartAndAllMakeUpTheRound)
{
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    for (int repeat = 0; repeat < 200; ++repeat) {
        auto const round = random_round(random);
        auto const of = 1 + static_cast<std::int64_t>(random() % 30);
        auto left = round.due;
        double most = 0;
        for (std::int64_t shard = 1; shard <= of; ++shard) {
            auto const share = share_of(round.due, round.costs, {shard, of});
            most = std::max(most, cost_of(share, round));
            for (auto const& work : share) {
                auto& cell = *std::ranges::find(left, work.index, &CellRanges::index);
                auto const before = total(cell.ranges);
                cell.ranges = without(cell.ranges, work.ranges);
                ASSERT_EQ(total(cell.ranges), before - total(work.ranges)) << "in two shards";
            }
        }
        for (auto const& cell : left) ASSERT_TRUE(cell.ranges.empty());
        double const dearest = static_cast<double>(std::ranges::max(round.costs)) + 20'000;
        EXPECT_LE(most, cost_of(round.due, round) / static_cast<double>(of) + 2 * dearest);
    }
}

TEST(Share, OfTenDearInstancesForFourIsThreeOrTwo)
{
    std::vector<CellRanges> const due{{{}, 0, {{5, 10}}}};
    std::vector<std::int64_t> counts;
    for (std::int64_t shard = 1; shard <= 4; ++shard)
        counts.push_back(total(share_of(due, {50'000}, {shard, 4}).front().ranges));
    EXPECT_EQ(counts, (std::vector<std::int64_t>{3, 3, 2, 2}));
}

// Cheap instances stay together: a piece that takes no time is not worth a chunk.
TEST(Share, OfCheapInstancesIsNotCutFinely)
{
    std::vector<CellRanges> const due{{{}, 0, {{0, 100}}}};
    EXPECT_EQ(total(share_of(due, {100}, {1, 8}).front().ranges), 100);
    EXPECT_TRUE(share_of(due, {100}, {2, 8}).empty());
}

TEST(Share, RecordsOfOneRoundNameItAlike)
{
    std::vector<CellRanges> const due{{{}, 0, {{0, 100}}}}, other{{{}, 0, {{0, 101}}}};
    auto const round = [&](auto const& work, ShardNumber number) {
        return record_of(work, share_of(work, {1'000'000}, number), number).round;
    };
    EXPECT_EQ(round(due, {1, 3}), round(due, {3, 3}));
    EXPECT_NE(round(due, {1, 3}), round(due, {1, 2}));
    EXPECT_NE(round(due, {1, 3}), round(other, {1, 3}));
}

TEST(Share, RecordsAreReadAsTheyWereWritten)
{
    ShardRecord const record{
        {2, 7}, "abc", {{"s \"x\"", {{"a", 0.1}, {"b", 3}}, {{0, 5}, {9, 1}}}}};
    auto const read = parse_shard_record(to_text(record));
    EXPECT_EQ(to_text(read), to_text(record));
    EXPECT_EQ(read.number, record.number);
    EXPECT_EQ(read.cells.front().ranges, record.cells.front().ranges);
}

TEST(Ranges, WithoutOthersIsWhatAListOfInstancesSays)
{
    std::mt19937_64 random(test_seed());
    auto const random_ranges = [&] {
        std::vector<InstanceRange> ranges;
        for (std::int64_t at = static_cast<std::int64_t>(random() % 4); at < 30;) {
            auto const count = 1 + static_cast<std::int64_t>(random() % 6);
            ranges.push_back({at, count});
            at += count + static_cast<std::int64_t>(random() % 4);
        }
        return ranges;
    };
    auto const in = [](std::vector<InstanceRange> const& ranges, std::int64_t i) {
        return std::ranges::any_of(
            ranges, [&](auto const& r) { return r.first <= i && i < r.first + r.count; });
    };
    for (int repeat = 0; repeat < 500; ++repeat) {
        auto const ranges = random_ranges(), done = random_ranges();
        auto const left = without(ranges, done);
        for (std::int64_t i = 0; i < 40; ++i)
            ASSERT_EQ(in(left, i), in(ranges, i) && !in(done, i)) << i;
        for (auto const& range : left) ASSERT_GT(range.count, 0);
    }
}

} // namespace
} // namespace crx_test
