#include "analysis/plot/timeline_figure.hh"

#include <gtest/gtest.h>

namespace crx::plot {
namespace {

TEST(TimelineFigure, MemoryFallsWhereRequestsEndAndGrowsBetween)
{
    // Two requests active from 0; at time 3 one ends and gives back 3 of the 6 tokens.
    std::vector<TimelinePoint> const timeline{{0, 0, 2, 1}, {3, 6, 1, 0}, {5, 5, 0, 0}};
    auto const figure = timeline_figure(timeline, 10, {"t_1", ""});
    auto const& line = figure.panels.at(0).series.at(0).points;
    ASSERT_EQ(line.size(), 4u);
    EXPECT_EQ(line[1].x, 3);
    EXPECT_EQ(line[1].y, 6);
    EXPECT_EQ(line[2].x, 3);
    EXPECT_EQ(line[2].y, 3); // 5 - 1 request * 2 rounds
    EXPECT_EQ(line[3].y, 5);
    EXPECT_EQ(figure.title, "t\\_1");
    EXPECT_EQ(figure.panels[0].curves.at(0).points.at(0).y, 10);
    EXPECT_LT(figure.panels[1].y.low.value_or(0),
              0); // nobody waits at the end: seen, not on the axis
}

TEST(TimelineFigure, LongTimelinesKeepTheirPeaks)
{
    std::vector<TimelinePoint> timeline;
    for (std::int64_t t = 0; t < 100'000; ++t) timeline.push_back({t, t % 7, 1, 0});
    timeline[54'321].held = 999;
    auto const figure = timeline_figure(timeline, 1000, {});
    auto const& line = figure.panels.at(0).series.at(0).points;
    EXPECT_LT(line.size(), 6000u);
    double most = 0;
    for (auto const& point : line) most = std::max(most, point.y);
    EXPECT_EQ(most, 999);
    EXPECT_EQ(line.front().x, 0);
    EXPECT_EQ(line.back().x, 99'999);
}

TEST(TimelineFigure, AnEmptyTimelineIsAFigure)
{
    EXPECT_EQ(timeline_figure({}, 10, {}).panels.size(), 2u);
}

} // namespace
} // namespace crx::plot
