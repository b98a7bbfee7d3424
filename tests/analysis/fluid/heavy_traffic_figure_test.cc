#include "analysis/fluid/heavy_traffic_figure.hh"

#include <cmath>
#include <gtest/gtest.h>

namespace crx::fluid {
namespace {

/// Two horizons; all four measures are `first` and `second`, with intervals of a tenth.
LabelledCurve curve(std::string label, double first, double second, Exponent exponent)
{
    HeavyTrafficCurve curve;
    for (auto const& [horizon, mean] : {std::pair(16.0, first), std::pair(32.0, second)}) {
        HorizonPoint point;
        point.horizon = horizon;
        point.gap = point.latency = point.first_token = point.peak_memory = {mean, mean / 10};
        curve.points.push_back(point);
    }
    curve.gap = curve.latency = curve.first_token = curve.peak_memory = exponent;
    return {std::move(label), curve};
}

bool holds(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

TEST(HeavyTrafficFigure, BracketsHaveTheDigitsThatTheIntervalAllows)
{
    std::vector<std::pair<Exponent, std::string>> const cases{
        {{-0.51844, 0.0161}, "W (−0.518 ± 0.016)"},
        {{-0.00267, 0.00242}, "W (−0.0027 ± 0.0024)"},
        {{0.4, 1.26}, "W (0.4 ± 1.3)"},
        {{-1e-17, 0}, "W (0)"},
        {{1e-17, std::nan("")}, "W (0)"},
        {{-0.5, std::nan("")}, "W (−0.5000)"},
        {{std::nan(""), std::nan("")}, "W (none)"},
        {{-0.00001, 0.0003}, "W (0.0000 ± 0.0003)"}};
    for (auto const& [exponent, label] : cases) {
        auto const figure = heavy_traffic_figure({curve("W", 1, 2, exponent)}, "", {});
        EXPECT_EQ(figure.panels.at(0).series.at(0).label, label);
    }
}

TEST(HeavyTrafficFigure, ShowsMeansWithoutIntervals)
{
    auto alone = curve("W", 1, 2, {});
    for (auto& point : alone.curve.points) point.gap.half_width = std::nan("");
    auto const figure = heavy_traffic_figure({alone}, "", {});
    auto const& points = figure.panels.at(0).series.at(0).points;
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[1].y, 2);
    EXPECT_FALSE(points[1].low || points[1].high);
}

TEST(HeavyTrafficFigure, CaptionSaysWhatTheMeansAreOf)
{
    auto const figure = heavy_traffic_figure({curve("W", 1, 2, {})}, "title", {77, 100, 1, 0.9});
    EXPECT_TRUE(holds(figure.caption, "100 paths, seed 77; 2 horizons from T = 16 s to ζT = 32 s"))
        << figure.caption;
    EXPECT_TRUE(holds(figure.caption, "from ζT = 32 s on")) << figure.caption;
    EXPECT_TRUE(holds(figure.caption, "90 % confidence")) << figure.caption;
    EXPECT_FALSE(holds(figure.caption, "On one line")) << figure.caption;
}

TEST(HeavyTrafficFigure, CaptionNamesCurvesThatHideEachOther)
{
    auto const figure = heavy_traffic_figure(
        {curve("A", 1, 2, {}), curve("B", 1, 2.1, {}), curve("C", 1.01, 2, {})}, "", {});
    EXPECT_TRUE(holds(figure.caption, " On one line in (a): A; C.")) << figure.caption;
    EXPECT_TRUE(holds(figure.caption, " On one line in (d): A; C.")) << figure.caption;
}

} // namespace
} // namespace crx::fluid
