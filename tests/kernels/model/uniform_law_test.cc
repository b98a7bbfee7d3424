#include "kernels/model/length_law.cuh"

#include "analysis/laws/discrete_laws.hh"
#include "kernels/model/host_generator.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

struct Table
{
    std::vector<std::int32_t> value;
    std::vector<std::uint64_t> threshold;
    TableLaw law() const { return {value, threshold}; }
};

/// Uniform on first .. first + values - 1, thresholds to the nearest, halves up.
Table uniform_table(std::int32_t first, std::uint64_t values)
{
    Table table;
    for (std::uint64_t j = 1; j <= values; ++j) {
        table.value.push_back(first + static_cast<std::int32_t>(j) - 1);
        auto const whole = UINT64_MAX / values, rest = UINT64_MAX % values + 1; // of 2^64
        table.threshold.push_back(j == values ? UINT64_MAX
                                              : j * whole + (2 * j * rest + values) / (2 * values));
    }
    return table;
}

std::int32_t drawn(UniformLaw const& law, std::uint64_t word)
{
    std::int32_t value = 0;
    law.draw(&word, 1, &value);
    EXPECT_EQ(value, law.draw(word));
    return value;
}

// Each threshold, the words beside it, and words anywhere.
TEST(UniformLaw, GivesTheTablesValueForEveryWord)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::uint64_t const values : {1, 2, 3, 5, 45, 64, 1000, 65537}) {
        auto const table = uniform_table(7, values);
        auto const law = UniformLaw::of(table.law());
        ASSERT_TRUE(law) << values;
        for (auto const at : table.threshold)
            for (auto const word : {at - 1, at, at + 1, rng()})
                ASSERT_EQ(drawn(*law, word), table.law().draw(word)) << values << " " << word;
        for (auto const word : {std::uint64_t{0}, UINT64_MAX})
            ASSERT_EQ(drawn(*law, word), table.law().draw(word));
    }
}

TEST(UniformLaw, IsWhatTheProgramTabulates)
{
    auto const table = uniform_law(1, 45);
    EXPECT_TRUE(UniformLaw::of({table.value, table.threshold}));
}

TEST(UniformLaw, RefusesOtherTables)
{
    auto one_off = uniform_table(1, 45);
    ++one_off.threshold[17];
    EXPECT_FALSE(UniformLaw::of(one_off.law()));
    auto gap = uniform_table(1, 45);
    for (std::size_t k = 20; k < gap.value.size(); ++k) ++gap.value[k];
    EXPECT_FALSE(UniformLaw::of(gap.law()));
    EXPECT_FALSE(UniformLaw::of({}));
}

} // namespace
} // namespace crx
