#include "host/store/sums_text.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

constexpr auto most = ~std::uint64_t{0};

TEST(SumsText, WideSumsAreDecimal)
{
    EXPECT_EQ(to_text(Unsigned128{0}), "0");
    EXPECT_EQ(to_text(~Unsigned128{0}), "340282366920938463463374607431768211455");
    EXPECT_EQ(to_text(Unsigned192{0, 0, 1}), "340282366920938463463374607431768211456");
    EXPECT_EQ(to_text(Unsigned192{most, most, most}),
              "6277101735386680763835789423207666416102355444464034512895");
}

TEST(SumsText, OutcomesAreReadAsTheyAreWritten)
{
    OutcomeSums sums;
    sums.count = 3;
    sums.unfinished = 2;
    sums.unfinished_by[1] = 2; // a cycle
    sums.latency = ~Unsigned128{0};
    sums.latency_squares = {most, most, most};
    sums.makespan_squares = {0, 5, 0};
    sums.events = Unsigned128{most} + 1;
    sums.peak_memory = 77;
    OutcomeSums read;
    MeasureSums measures;
    add_outcomes(to_text(sums), read, measures);
    EXPECT_TRUE(measures.empty());
    EXPECT_EQ(read, sums);
}

TEST(SumsText, MeasuresAreReadAsTheyAreWritten)
{
    OutcomeSums const sums;
    MeasureSums measures;
    measures.group[3].requests = 9;
    measures.group[3].held_time = ~Unsigned128{0};
    measures.group[7].value[2] = {2, 900, 1500, {{5, 1}, {900, 1}}};
    OutcomeSums read;
    MeasureSums found;
    add_outcomes(to_text(sums, measures), read, found);
    EXPECT_EQ(found, measures);
    add_outcomes(to_text(sums, measures), read, found); // they add up
    EXPECT_EQ(found.group[7].value[2].histogram[900], 2);
    EXPECT_EQ(found.group[7].value[2].sum, Unsigned128{3000});
}

// What was written before there was a longest gap has none, and is read as it was.
TEST(SumsText, TheLongestGapFollowsTheGroups)
{
    MeasureSums older;
    older.group[1].requests = 9;
    older.group[1].value[4] = {1, 7, 7, {{7, 1}}};
    auto with_gaps = older;
    with_gaps.group[2].value[5] = {2, 12, 9, {{3, 1}, {9, 1}}};
    auto const before = to_text({}, older), after = to_text({}, with_gaps);
    EXPECT_EQ(after.substr(0, before.size() - 1), before.substr(0, before.size() - 1));
    for (auto const& measures : {older, with_gaps}) {
        OutcomeSums read;
        MeasureSums found;
        add_outcomes(to_text({}, measures), read, found);
        EXPECT_EQ(found, measures);
    }
}

TEST(SumsText, RatiosAreReadAsTheyAreWritten)
{
    RatioTally sums;
    sums.add(7, 3, 12);
    sums.add(9, 4, 5);
    Histogram const histogram{{5, 2}, {70000, 9}};
    RatioTally read;
    Histogram counted;
    add_ratios(to_text(sums, histogram), read, counted);
    EXPECT_EQ(read, sums);
    EXPECT_EQ(counted, histogram);
    EXPECT_EQ(to_text(RatioTally{}, {}), "[]");
    add_ratios("[]", read, counted);
    EXPECT_EQ(read, sums);
}

TEST(SumsText, PathsAreReadAsTheyAreWritten)
{
    IterationTally tally;
    tally.until = 5;
    tally.arrivals = 3;
    tally.arrival_time = Unsigned128{most} + 7;
    tally.peak_memory = 9;
    TypeTally type;
    type.arrivals = 2;
    std::vector<PathRecord> const paths{{4, {tally, tally}, {{type, type}, {type, type}}},
                                        {5, {tally}, {}}};
    std::vector<PathRecord> read;
    add_paths(to_text(paths), read);
    EXPECT_EQ(read, paths);
}

TEST(SumsText, RefusesAnythingElse)
{
    OutcomeSums sums;
    MeasureSums measures;
    RatioTally ratios;
    Histogram histogram;
    std::vector<PathRecord> paths;
    for (char const* text : {"", "[", "1", "[1", "[]", "[1,2]", "[a]", "[,]"})
        EXPECT_THROW(add_outcomes(text, sums, measures), std::invalid_argument) << text;
    EXPECT_THROW(add_outcomes(to_text(sums).insert(1, "1,"), sums, measures),
                 std::invalid_argument);
    EXPECT_THROW(add_ratios("[1,2,3]", ratios, histogram), std::invalid_argument);
    EXPECT_THROW(add_ratios("[-1,0,0,0,0,0,0,0,0]", ratios, histogram), std::invalid_argument);
    EXPECT_THROW(add_ratios("[" + std::string(59, '9') + ",0,0,0,0,0,0,0,0]", ratios, histogram),
                 std::invalid_argument);
    EXPECT_THROW(add_paths("[1,2]", paths), std::invalid_argument);
}

} // namespace
} // namespace crx
