#include "tests/host/results/panel_setting.hh"

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

TEST(KeepPolicies, LeavesThemAndTheCurvesThatSpeakOfThem)
{
    Setting setting;
    setting.store.header.policies = {{"a-max", "a-max"}, {"a-min", "a-min, again"}};
    setting.panel().curves = {"chen-3.3", "chen-5.1"};
    std::optional<int> only;
    keep_policies(setting.experiment, setting.store.header.policies, {"a-min, again"}, only);
    EXPECT_EQ(setting.panel().curves, std::vector<std::string>{"chen-5.1"});
    EXPECT_EQ(setting.panel().policies, std::vector<std::string>{"a-min, again"});
    ASSERT_EQ(setting.series().size(), 1u);
    EXPECT_DOUBLE_EQ(setting.series().at(0).points.at(0).y, 3.5); // it keeps its sums
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

} // namespace
} // namespace crx
