#include "analysis/plot/axis_range.hh"

#include <gtest/gtest.h>

namespace crx::plot {
namespace {

std::vector<std::string> labels(std::vector<Tick> const& marks)
{
    std::vector<std::string> found;
    for (auto const& mark : marks)
        if (!mark.label.empty()) found.push_back(mark.label);
    return found;
}

using Texts = std::vector<std::string>;

TEST(AxisTicks, LinearOnesAreRound)
{
    EXPECT_EQ(labels(ticks({0, 1}, false, {25, true})),
              (Texts{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
    EXPECT_EQ(labels(ticks({-1, 1}, false, {10, true})), (Texts{"−1", "0", "1"}));
}

TEST(AxisTicks, LogarithmicOnesThinOutWithTheRange)
{
    EXPECT_EQ(labels(ticks({1, 10}, true, {4, true})), (Texts{"1", "3", "10"}));
    EXPECT_EQ(labels(ticks({1, 1000}, true, {40, true})),
              (Texts{"1", "2", "5", "10", "20", "50", "100", "200", "500", "1000"}));
    EXPECT_EQ(labels(ticks({1e-3, 1e6}, true, {12, true})).front(), "10^{-3}");
    EXPECT_LE(labels(ticks({1e-3, 1e6}, true, {12, true})).size(), 5u);
    EXPECT_EQ(labels(ticks({1.1, 1.5}, true, {25, true})).front(), "1.1");
}

TEST(AxisTicks, LargeNumbersArePowersOfTen)
{
    EXPECT_EQ(tick_label(0.25), "0.25");
    EXPECT_EQ(tick_label(20000), "20000");
    EXPECT_EQ(tick_label(5e6), "5·10^{6}");
    EXPECT_EQ(tick_label(1e-5), "10^{-5}");
}

TEST(AxisTicks, OfOneAxisAreWrittenInOneForm)
{
    EXPECT_EQ(labels(ticks({9, 2e5}, true, {25, true})),
              (Texts{"10", "10^{2}", "10^{3}", "10^{4}", "10^{5}"}));
    EXPECT_EQ(labels(ticks({9, 2e4}, true, {25, true})).back(), "10000"); // no power among them
    EXPECT_EQ(labels(ticks({0, 1e5}, false, {9, true})), (Texts{"0", "5·10^{4}", "10^{5}"}));
}

TEST(AxisRange, AFarBoundDoesNotPressThePointsIntoACorner)
{
    Panel panel;
    panel.series.push_back({"", {}, {{0, 1, {}, {}}, {1, 2, 1.5, 2.5}}});
    panel.curves.push_back({"", {}, {{0, 1000, {}, {}}, {1, 1.2, {}, {}}}});
    auto const range = y_range(panel);
    EXPECT_LT(range.low, 1);
    EXPECT_GT(range.high, 2.5);
    EXPECT_LT(range.high, 5);
    panel.y.logarithmic = true;
    EXPECT_LT(y_range(panel).high, 40);
    panel.y.high = 7;
    EXPECT_EQ(y_range(panel).high, 7);
}

TEST(AxisRange, EndsThatCannotBeAreNotTaken)
{
    Panel panel;
    panel.series.push_back({"", {}, {{1, 2, {}, {}}, {2, 30, {}, {}}}});
    panel.y.logarithmic = true;
    panel.y.low = 0;
    EXPECT_GT(y_range(panel).low, 0);
    panel.y.low = 1000; // above all points
    EXPECT_EQ(y_range(panel).low, 1000);
    EXPECT_GT(y_range(panel).high, 1000);
    panel.y.low = {};
    panel.y.high = 0.5; // below all points
    EXPECT_EQ(y_range(panel).high, 0.5);
    EXPECT_DOUBLE_EQ(y_range(panel).low, 0.05);
    panel.y.logarithmic = false;
    panel.y.high = -2;
    EXPECT_EQ(y_range(panel).high, -2);
    EXPECT_EQ(y_range(panel).low, -4);
}

TEST(AxisRange, OnePointAndNoPointHaveARange)
{
    Panel panel;
    EXPECT_LT(x_range(panel).low, x_range(panel).high);
    panel.series.push_back({"", {}, {{3, 0, {}, {}}}});
    EXPECT_EQ(x_range(panel).low, 1.5);
    EXPECT_EQ(x_range(panel).high, 4.5);
    EXPECT_LT(y_range(panel).low, y_range(panel).high);
}

} // namespace
} // namespace crx::plot
