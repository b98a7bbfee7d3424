#include "kernels/random/sampling_without_replacement.cuh"

#include "support/hypergeometric_law.hh"
#include "support/test_seed.hh"

#include <algorithm>
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
struct OwnLine : SamplingWithoutReplacement
{
    explicit OwnLine(std::int64_t population, std::int64_t block = sampling_block(2))
        : OwnLine(std::vector<std::uint64_t>(
                      static_cast<std::size_t>(sampling_rows(population, block))),
                  block)
    {
    }

  private:
    OwnLine(std::vector<std::uint64_t> rows, std::int64_t block)
        : SamplingWithoutReplacement(Rows(rows.data()), block), rows_(std::move(rows))
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
// it leaves; marks rare, frequent, half.
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
    {3000, 1200, 2048, {100, 2000, 300, 64}}, // 1,948 of the block, 52 from behind
    {1000000, 300000, 65536, {200, 3000, 100, 512, 70000, 12}},
};

/// The largest statistic over its threshold: groups one after the other, each alone and those of
/// even number together, against the hypergeometric law of their size.
template <class Line>
double groups_over_threshold(Case const& c, WordStream& words)
{
    constexpr int runs = 40000;
    auto const& groups = c.groups;
    std::vector<std::vector<std::int64_t>> found(groups.size() + 1);
    std::int64_t even = 0;
    for (std::size_t k = 0; k < groups.size(); k += 2) even += groups[k];
    Line line(c.population, c.block);
    for (int run = 0; run < runs; ++run) {
        line.open(c.population, c.marked);
        std::int64_t of_even = 0;
        for (std::size_t k = 0; k < groups.size(); ++k) {
            found[k].push_back(line.take(groups[k], words));
            of_even += k % 2 == 0 ? found[k].back() : 0;
        }
        found.back().push_back(of_even);
    }
    double worst = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
        auto const m = k < groups.size() ? groups[k] : even;
        auto const p = hypergeometric_probabilities(c.population, c.marked, m);
        auto next = found[k].begin();
        worst = std::max(worst, chi_square_over_threshold(p, runs, [&] { return *next++; }));
    }
    return worst;
}

/// The planted fault: what a large group took is not missed by those that come after it.
class ForgetfulLine : public OwnLine
{
  public:
    ForgetfulLine(std::int64_t population, std::int64_t block)
        : OwnLine(population, block), fresh_(population, block), population_(population)
    {
    }
    void open(std::int64_t population, std::int64_t marked)
    {
        OwnLine::open(population, marked);
        marked_ = marked;
    }
    std::int64_t take(std::int64_t m, WordStream& words)
    {
        if (m <= SamplingState::most_counted) return OwnLine::take(m, words);
        fresh_.open(population_, marked_);
        return fresh_.take(m, words);
    }

  private:
    OwnLine fresh_;
    std::int64_t population_, marked_ = 0;
};

// H0: groups hold what a uniformly random order puts there. False alarm 1e-9 a statistic, 1e-7 for
// the 95 here.
TEST(SamplingWithoutReplacement, GroupsHaveTheLawOfARandomOrder)
{
    auto const seed = crx_test::test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    WordStream words(seed, stream_policy, 1);
    for (auto const& c : cases)
        EXPECT_LT(groups_over_threshold<OwnLine>(c, words), 1) << c.population << " " << c.marked;
    // Three large groups that do not know of each other vary too much together.
    Case const large{5000, 2500, 2048, {1500, 10, 1500, 10, 1500}};
    EXPECT_LT(groups_over_threshold<OwnLine>(large, words), 1);
    EXPECT_GT(groups_over_threshold<ForgetfulLine>(large, words), 1);
}

TEST(SamplingWithoutReplacement, AsksToItsEnd)
{
    WordStream words(crx_test::test_seed(), stream_policy, 3);
    for (auto const& c : cases) {
        OwnLine line(c.population, c.block);
        for (int run = 0; run < 100; ++run) {
            line.open(c.population, c.marked);
            std::int64_t all = 0, asked = 0;
            for (auto const m : c.groups) {
                all += line.take(m, words);
                asked += m;
            }
            ASSERT_EQ(all + line.take(c.population - asked, words), c.marked);
        }
    }
}

/// A block as docs/random-choices.md says it, place by place.
std::vector<bool> block_by_the_rule(std::int64_t n, std::int64_t k, WordStream& words)
{
    auto const j = (64 * k + n / 2) / n;
    std::vector<bool> place(static_cast<std::size_t>(n), j == 64);
    int lowest = 0;
    while (lowest < 6 && (j >> lowest) % 2 == 0) ++lowest;
    for (std::int64_t row = 0; row < n && j < 64; row += 64)
        for (int digit = lowest; digit < 6; ++digit) {
            auto const word = words.next();
            for (auto at = row; at < row + 64 && at < n; ++at) {
                bool const bit = word >> (at - row) & 1;
                auto const here = place[static_cast<std::size_t>(at)];
                place[static_cast<std::size_t>(at)] =
                    (j >> digit) % 2 == 1 ? here || bit : here && bit;
            }
        }
    auto marks = std::ranges::count(place, true);
    while (marks != k) {
        auto word = words.next();
        for (int part = 0; part < 4 && marks != k; ++part, word >>= 16) {
            auto const product = static_cast<std::int64_t>(word % 65536) * n;
            if (product % 65536 < 65536 % n) continue;
            auto const at = static_cast<std::size_t>(product / 65536);
            if (place[at] == (marks < k)) continue;
            place[at] = marks < k;
            marks += place[at] ? 1 : -1;
        }
    }
    return place;
}

// Lines of one block: which are marked, and the word that comes next, by the rule as it is written.
// Marks in every 64th of the places: all numbers of digits.
TEST(SamplingWithoutReplacement, MakesABlockByTheRule)
{
    for (std::int64_t const n : {2, 63, 64, 65, 700, 2000, 2048})
        for (std::int64_t part = 0; part <= 64; ++part) {
            auto const k = n * part / 64;
            if (k == 0 || k == n) continue; // nothing is random
            SCOPED_TRACE(testing::Message() << k << " of " << n);
            auto const instance = static_cast<std::uint64_t>(100 * n + part);
            WordStream words(7, stream_policy, instance), by_rule(7, stream_policy, instance);
            OwnLine line(n);
            line.open(n, k);
            for (bool const marked : block_by_the_rule(n, k, by_rule))
                ASSERT_EQ(line.take(1, words), marked ? 1 : 0);
            ASSERT_EQ(words.next(), by_rule.next());
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
TEST(SamplingWithoutReplacement, AllOrdersAreEquallyLikely)
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
