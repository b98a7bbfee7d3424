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
    auto alone = read;
    add_outcomes(to_text(sums, measures), read, found);
    add_outcomes(to_text(sums, measures), alone);
    EXPECT_EQ(alone, read);
}

// Steps between bins are written; stores had the bins themselves once, and are read.
TEST(SumsText, BinsOfOlderStoresAreRead)
{
    MeasureSums measures;
    measures.group[0].value[1] = {6, 900, 1500, {{0, 1}, {5, 3}, {900, 2}}};
    auto text = to_text({}, measures);
    std::string const now = ",6,1500,900,-3,1,-5,3,-895,2,", once = ",6,1500,900,3,0,1,5,3,900,2,";
    auto const at = text.find(now);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, now.size(), once);
    OutcomeSums read;
    MeasureSums found;
    add_outcomes(text, read, found);
    EXPECT_EQ(found, measures);
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
    std::vector<MeasureSums> none;
    add_paths(to_text(paths), read, none);
    EXPECT_EQ(read, paths);
    EXPECT_TRUE(none.empty());
}

// The measures of two chunks add up, whichever has paths before them.
TEST(SumsText, MeasuresOfPathsFollowThem)
{
    std::vector<MeasureSums> measures(2);
    measures[0].group[4].requests = 9;
    auto& gap = measures[1].group[5].value[static_cast<std::size_t>(RequestMeasure::longest_gap)];
    gap = {2, 7, 11, {{4, 1}, {7, 1}}};
    std::vector<PathRecord> const paths{{4, {IterationTally{}}, {}}};
    std::vector<PathRecord> read;
    std::vector<MeasureSums> sums;
    add_paths(to_text(paths, measures), read, sums);
    EXPECT_EQ(read, paths);
    EXPECT_EQ(sums, measures);
    add_paths(to_text(paths, measures), read, sums);
    for (auto& horizon : measures) horizon.add(MeasureSums(horizon));
    EXPECT_EQ(sums, measures);
    EXPECT_EQ(read.size(), 2u);
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
    std::vector<MeasureSums> of_paths;
    EXPECT_THROW(add_paths("[1,2]", paths, of_paths), std::invalid_argument);
    EXPECT_THROW(add_paths("[-1,1,3]", paths, of_paths), std::invalid_argument);
}

} // namespace
} // namespace crx
