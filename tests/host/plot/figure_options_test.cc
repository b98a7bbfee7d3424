#include "host/plot/figure_options.hh"

#include "analysis/plot/palette.hh"
#include "tests/host/plot/figure_setting.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::Setting;

std::string failure(std::function<void()> const& run)
{
    try {
        run();
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

TEST(Width, IsALengthWithAUnit)
{
    EXPECT_DOUBLE_EQ(width_of("--width", "3.35in"), 241.2);
    EXPECT_NEAR(width_of("--width", "2.54cm"), 72, 1e-9);
    EXPECT_NEAR(width_of("--width", "50.8mm"), 144, 1e-9);
    EXPECT_NEAR(width_of("--width", "72.27pt"), 72, 1e-9);
    for (auto const* wrong :
         {"3.35", "in", "3 in", "-3in", "0.5in", "41in", "nanin", "3em", "3inch"})
        EXPECT_NE(failure([&] { width_of("--width", wrong); }).find("from 1in to 40in"),
                  std::string::npos)
            << wrong;
}

TEST(KeepPolicies, LeavesThemAndTheCurvesThatSpeakOfThem)
{
    Setting setting;
    setting.store.header.policies = {{"a-max", "a-max"}, {"a-min", "a-min, again"}};
    setting.panel().curves = {"chen-3.3", "chen-5.1"};
    std::optional<int> only;
    keep_policies(setting.experiment, setting.store.header.policies, {"a-min, again"}, only);
    EXPECT_EQ(setting.panel().curves, std::vector<std::string>{"chen-5.1"});
    EXPECT_EQ(setting.panel().policies, std::vector<std::string>{"a-min, again"});
    auto const figure = setting.figure();
    ASSERT_EQ(figure.panels.at(0).series.size(), 1u);
    EXPECT_DOUBLE_EQ(figure.panels.at(0).series.at(0).points.at(0).y, 3.5); // it keeps its sums
}

TEST(KeepPolicies, PanelsWithoutThemGo)
{
    Setting setting;
    auto const& policies = setting.store.header.policies; // a-max and my_label
    setting.panel().policies = {"a-max"};
    setting.experiment.panels.push_back(setting.panel());
    setting.experiment.panels[1].policies = {"my_label"};
    std::optional<int> only;
    auto all = setting.experiment;
    keep_policies(all, policies, {"a-max, my_label"}, only);
    EXPECT_EQ(all.panels.size(), 2u);
    auto one = setting.experiment;
    keep_policies(one, policies, {"my_label"}, only);
    ASSERT_EQ(one.panels.size(), 1u);
    EXPECT_EQ(one.panels[0].policies, std::vector<std::string>{"my_label"});
    // A panel that is asked for by its number, of all of them.
    auto second = setting.experiment;
    only = 2;
    keep_policies(second, policies, {"my_label"}, only);
    EXPECT_EQ(second.panels.size(), 1u);
    EXPECT_EQ(only, 1);
    only = 1;
    EXPECT_NE(failure([&] {
                  auto first = setting.experiment;
                  keep_policies(first, policies, {"my_label"}, only);
              }).find("no panel shows"),
              std::string::npos);
    only.reset();
    EXPECT_NE(failure([&] {
                  keep_policies(one, policies, {"a-mx"}, only);
              }).find("one of a-max, my_label (did you mean a-max?)"),
              std::string::npos);
}

TEST(ManySeries, HaveColoursOfARampAndShapesThatDiffer)
{
    Setting setting;
    setting.store.cells.clear();
    for (int r = 1; r <= 20; ++r) setting.store.cells.push_back(crx_test::cell(0.1, r, 200 + r));
    setting.panel().worst_over = "";
    setting.panel().series = "r";
    setting.panel().policies = {"a-max"};
    auto const series = setting.figure().panels.at(0).series;
    ASSERT_EQ(series.size(), 20u);
    EXPECT_EQ(series.front().style.colour, plot::first_of_ramp);
    for (std::size_t i = 0; i < series.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_NE(series[i].style, series[k].style) << i << ' ' << k;
}

} // namespace
} // namespace crx
