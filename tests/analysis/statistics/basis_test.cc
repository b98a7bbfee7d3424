#include "analysis/statistics/basis.hh"
#include "support/add_ratio.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace crx {
namespace {

constexpr auto kind = BaselineKind::volume;

PolicyTally tally_of(std::vector<double> const& ratios)
{
    PolicyTally tally;
    std::int64_t instance = 0;
    for (auto const ratio : ratios) crx_test::add_ratio(tally, kind, ratio, instance++);
    return tally;
}

std::vector<double> with(std::vector<double> values, std::size_t count, double value)
{
    values.insert(values.end(), count, value);
    return values;
}

TEST(Basis, ByHand)
{
    // Mean 1.1; squared deviations 18 * 0.01 + 2 * 0.81 = 1.8, of the five 2 * 0.81 + 3 * 0.01.
    auto const basis = basis_of(tally_of(with(with({}, 18, 1), 2, 2)), kind);
    EXPECT_EQ(basis.count, 20);
    EXPECT_EQ(basis.different, 2);
    EXPECT_EQ(basis.off_mode, 2);
    EXPECT_NEAR(*basis.largest_five, 1.65 / 1.8, 1e-9);
    EXPECT_TRUE(basis.is_few());
    EXPECT_EQ(to_text(basis), "20 instances, 2 different values, 2 not the most frequent");
    auto const equal = basis_of(tally_of(with({}, 20, 1.5)), kind);
    EXPECT_TRUE(equal.all_equal() && equal.is_few());
    EXPECT_FALSE(equal.largest_five);
    EXPECT_EQ(to_text(equal), "all 20 equal");
    auto const one = basis_of(tally_of({1.5}), kind);
    EXPECT_FALSE(one.is_few());
    EXPECT_EQ(to_text(one), "1 instance");
    EXPECT_EQ(to_text(basis_of(PolicyTally{}, kind)), "0 instances");
}

TEST(Basis, TenDifferentValuesAreNotFew)
{
    std::vector<double> values;
    for (int k = 1; k <= 10; ++k) {
        EXPECT_EQ(basis_of(tally_of(values), kind).is_few(), k > 2) << k;
        values.push_back(1 + 0.01 * k);
    }
    EXPECT_FALSE(basis_of(tally_of(values), kind).is_few());
    values.resize(3);
    auto const three = basis_of(tally_of(with(values, 27, 1.01)), kind);
    EXPECT_EQ(three.different, 3);
    EXPECT_EQ(three.off_mode, 2);
    EXPECT_EQ(to_text(three), "30 instances, 3 different values, 2 not the most frequent");
}

// Values in the same few bins of the histogram are many unless there are just two.
TEST(Basis, CloseValuesAreToldApartWhereThereAreTwo)
{
    std::vector<double> close;
    for (int k = 0; k < 40; ++k) close.push_back(1.5 + 1e-5 * k);
    EXPECT_EQ(basis_of(tally_of(close), kind).different, 10);
    auto const two = basis_of(tally_of(with(with({}, 37, 1.5), 3, 1.50001)), kind);
    EXPECT_EQ(two.different, 2);
    EXPECT_EQ(two.off_mode, 3);
}

/// The exact share, by sorting.
double share_by_sorting(std::vector<double> const& values) { return *largest_five_of(values); }

// Where there are many values the share is read from the histogram: never below what it is, and
// near it unless the values are closer than a bin is wide.
TEST(Basis, TheShareOfManyValuesIsAnUpperBound)
{
    std::mt19937_64 random(5);
    std::exponential_distribution<double> exponential;
    std::uniform_real_distribution<double> uniform;
    for (int trial = 0; trial < 40; ++trial) {
        std::vector<double> wide, narrow;
        for (int k = 0; k < 30 + 20 * trial; ++k) {
            wide.push_back(1 + exponential(random));
            narrow.push_back(1 + 1e-3 * uniform(random));
        }
        auto const share = share_by_sorting(wide);
        auto const read = *basis_of(tally_of(wide), kind).largest_five;
        EXPECT_GE(read, share - 1e-5);
        EXPECT_LE(read, share * 1.02);
        EXPECT_GE(*basis_of(tally_of(narrow), kind).largest_five, share_by_sorting(narrow) - 1e-3);
    }
}

// Of latencies and other times the moments alone are kept.
TEST(Basis, OfAMeanAlone)
{
    EXPECT_TRUE(basis_of(20, {5, 0, 0}).all_equal());
    EXPECT_TRUE(basis_of(9, {5, 1, 1}).is_few());
    EXPECT_FALSE(basis_of(10, {5, 1, 1}).is_few());
    EXPECT_FALSE(basis_of(1, {5, {}, {}}).is_few());
    EXPECT_FALSE(shown_low({5, 0, 0}));
    EXPECT_EQ(shown_high({5, 1, 1}), 6);
}

} // namespace
} // namespace crx
