#include "kernels/random/marked_line.cuh"

#include "support/hypergeometric_law.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace crx {
namespace {

using crx_test::chi_square_over_threshold;
using crx_test::hypergeometric_probabilities;

/// A line with rows of its own.
struct OwnLine : MarkedLine<>
{
    explicit OwnLine(std::int64_t population, std::int64_t block = marked_line_block(2))
        : OwnLine(std::vector<std::uint64_t>(
                      static_cast<std::size_t>(marked_line_rows(population, block))),
                  block)
    {
    }

  private:
    OwnLine(std::vector<std::uint64_t> rows, std::int64_t block)
        : MarkedLine<>(RowsApart<1>(rows.data()), block), rows_(std::move(rows))
    {
    }

    std::vector<std::uint64_t> rows_;
};

struct Case
{
    std::int64_t population, marked, block;
    std::vector<std::int64_t> groups; ///< asked one after the other
};

// One block, several, the last one short; a block sized by the group that opens it, groups within
// one, across two, and large ones that are drawn as a number, from behind the open block or as what
// it leaves; marks rare, frequent, half, and with one to six binary digits.
std::vector<Case> const cases = {
    {70, 35, 65536, {1, 9, 20, 3, 30}},
    {700, 20, 65536, {200, 1, 63, 65, 100}},
    {2048, 1024, 65536, {64, 64, 7, 250, 200}},
    {5000, 2500, 65536, {200, 250, 256, 255, 512, 256, 250, 256, 700, 60}},
    {5000, 1250, 65536, {200, 250, 256, 255, 512, 256, 250, 256, 700, 60}},
    {5000, 4900, 2048, {100, 250, 1700, 40, 256, 30}},
    {5000, 40, 2048, {100, 200, 512, 300, 256, 512, 256, 250, 256, 256}},
    {4500, 1300, 4096, {2, 3, 400, 5, 250, 1500, 250, 1, 90}},
    {9000, 5203, 65536, {3, 600, 1200, 512, 130, 64, 1, 700}},
    {1000000, 300000, 65536, {200, 3000, 100, 512, 70000, 12}},
};

// H0: groups one after the other hold what a uniformly random order puts there. Then the groups of
// even number together, and each group alone, have the hypergeometric law of their size. False
// alarm 1e-9 a statistic, 9e-8 for the 84 here.
TEST(MarkedLine, GroupsHaveTheLawOfARandomOrder)
{
    auto const seed = crx_test::test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    WordStream words(seed, stream_policy, 1);
    for (auto const& [population, marked, block, groups] : cases) {
        constexpr int runs = 40000;
        std::vector<std::vector<std::int64_t>> found(groups.size() + 1);
        std::int64_t even = 0;
        for (std::size_t k = 0; k < groups.size(); k += 2) even += groups[k];
        OwnLine line(population, block);
        for (int run = 0; run < runs; ++run) {
            line.open(population, marked);
            std::int64_t of_even = 0, all = 0;
            for (std::size_t k = 0; k < groups.size(); ++k) {
                found[k].push_back(line.take(groups[k], words));
                all += found[k].back();
                of_even += k % 2 == 0 ? found[k].back() : 0;
            }
            found.back().push_back(of_even);
            auto const asked = std::accumulate(groups.begin(), groups.end(), std::int64_t{0});
            if (run % 100 == 0) {
                ASSERT_EQ(all + line.take(population - asked, words), marked);
            }
        }
        for (std::size_t k = 0; k < found.size(); ++k) {
            auto const m = k < groups.size() ? groups[k] : even;
            auto const p = hypergeometric_probabilities(population, marked, m);
            auto next = found[k].begin();
            EXPECT_LT(chi_square_over_threshold(p, runs, [&] { return *next++; }), 1)
                << population << " " << marked << " group " << k;
        }
    }
}

/// How often each order of a line appears, over its probability's threshold.
template <class Line>
double orders_over_threshold(std::int64_t population, std::int64_t marked, WordStream& words)
{
    std::map<std::vector<bool>, std::int64_t> number; // of an order, in order of appearance
    Line line(population);
    auto const draw = [&] {
        line.open(population, marked);
        std::vector<bool> order;
        for (std::int64_t k = 0; k < population; ++k) order.push_back(line.take(1, words) == 1);
        return number.emplace(order, static_cast<std::int64_t>(number.size())).first->second;
    };
    double orders = 1;
    for (std::int64_t k = 0; k < marked; ++k)
        orders *= static_cast<double>(population - k) / static_cast<double>(k + 1);
    std::vector<double> const equal(static_cast<std::size_t>(std::lround(orders)), 1 / orders);
    return chi_square_over_threshold(equal, 100 * std::lround(orders), draw);
}

/// The planted fault: the number is put right from the front of the block.
struct SettledInFront
{
    explicit SettledInFront(std::int64_t population) : population_(population) {}

    void open(std::int64_t, std::int64_t marked)
    {
        marked_ = marked;
        at_ = -1;
    }
    std::int64_t take(std::int64_t, WordStream& words)
    {
        if (at_ < 0) {
            RowsApart<1> const rows(&row_);
            sprinkle(rows, population_, static_cast<unsigned>(64 * marked_ / population_), words);
            auto missing = marked_ - rows.count_all(population_);
            for (std::int64_t k = 0; missing != 0; ++k) {
                auto const bit = std::uint64_t{1} << k;
                if (((row_ & bit) != 0) == (missing < 0)) {
                    row_ ^= bit;
                    missing += missing < 0 ? 1 : -1;
                }
            }
            at_ = 0;
        }
        return static_cast<std::int64_t>(row_ >> at_++ & 1);
    }

  private:
    std::int64_t population_, marked_ = 0, at_ = -1;
    std::uint64_t row_ = 0;
};

// H0: all orders are equally likely. False alarm 1e-9 a line, 5e-9 in all.
TEST(MarkedLine, AllOrdersAreEquallyLikely)
{
    WordStream words(crx_test::test_seed(), stream_policy, 2);
    EXPECT_LT(orders_over_threshold<OwnLine>(6, 3, words), 1);
    EXPECT_LT(orders_over_threshold<OwnLine>(9, 2, words), 1);
    EXPECT_LT(orders_over_threshold<OwnLine>(12, 7, words), 1);
    EXPECT_LT(orders_over_threshold<OwnLine>(20, 1, words), 1);
    EXPECT_LT(orders_over_threshold<OwnLine>(66, 2, words), 1); // across two rows
    EXPECT_GT(orders_over_threshold<SettledInFront>(12, 7, words), 1);
}

} // namespace
} // namespace crx
