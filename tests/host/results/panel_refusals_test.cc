#include "tests/host/results/panel_setting.hh"

#include <gtest/gtest.h>

/// What a panel is not made of, and what the document says of what is missing.
namespace crx {
namespace {

using crx_test::cell;
using crx_test::Setting;

TEST(PanelRefusals, AFilterKeepsItsCellsAndSaysWhatExists)
{
    Setting setting;
    setting.panel().worst_over = "";
    setting.panel().where = {{"r", 2 * (1 + 1e-12)}};
    EXPECT_DOUBLE_EQ(setting.series()[0].points[1].y, 1.2);
    setting.panel().where = {{"r", 3}};
    EXPECT_EQ(setting.failure(),
              "x.db: panel 1 (\"Panel\"): no finished cell has r = 3\n  values of r: 1, 2");
}

TEST(PanelRefusals, MeansOverRequestsAreRefusedWhereTheirNumberVaries)
{
    Setting setting;
    for (auto const* measure : {"mean-latency", "mean-first-token"}) {
        setting.panel().measure = measure;
        EXPECT_EQ(setting.failure(), "");
    }
    for (auto& c : setting.store.cells) c.parameters.erase("requests");
    for (auto const* measure : {"mean-latency", "mean-first-token"}) {
        setting.panel().measure = measure;
        EXPECT_EQ(setting.failure(), "x.db: panel 1 (\"Panel\"): measure " + std::string(measure) +
                                         " is a mean over requests, whose number differs from "
                                         "instance to instance here (workload.instances), and a "
                                         "store keeps totals");
    }
    setting.panel().measure = "mean-makespan";
    EXPECT_EQ(setting.failure(), "");
}

TEST(PanelRefusals, SeveralCellsAtOnePlaceAreRefused)
{
    Setting setting;
    setting.panel().worst_over = "";
    EXPECT_NE(setting.failure().find("several values of r fall on one alpha"), std::string::npos);
    setting.panel().series = "r";
    EXPECT_EQ(setting.series().size(), 4u);
    EXPECT_EQ(setting.series()[1].label, "$A_{\\mathrm{max}}$, r = 2");
}

TEST(PanelRefusals, ACurveThatVariesFromCellToCellIsRefused)
{
    Setting setting;
    setting.panel().curves = {"a-min-two-point"}; // of one odds t, which the worst r leaves open
    EXPECT_NE(setting.failure().find("curve a-min-two-point"), std::string::npos);
    setting.panel().curves = {"chen-5.1-general"};
    setting.store.cells[2].parameters["prompt"] = 5; // s is not what it is elsewhere
    EXPECT_NE(setting.failure().find("depends on more than alpha"), std::string::npos)
        << setting.failure();
}

TEST(PanelRefusals, ABoundWithoutPromptsIsRefusedWithThem)
{
    Setting setting;
    setting.panel().curves = {"log-bound"};
    EXPECT_EQ(setting.failure(), "");
    setting.store.cells[2].parameters["prompt"] = 5; // in one cell
    EXPECT_NE(setting.failure().find("curve log-bound does not hold for all cells shown\n  s = 5 "
                                     "is not accepted: must be 0"),
              std::string::npos)
        << setting.failure();
    for (auto& one : setting.store.cells) one.parameters["prompt"] = 5; // in all
    EXPECT_NE(setting.failure().find("curve log-bound has no value"), std::string::npos)
        << setting.failure();
    EXPECT_NE(setting.failure().find("s = 5 is not accepted: must be 0"), std::string::npos);
    for (auto& one : setting.store.cells) { // drawn from a law
        one.parameters.erase("prompt");
        one.identity = R"({"workload":{"prompt":{"law":"uniform"}}})";
    }
    EXPECT_NE(setting.failure().find("curve log-bound is of one prompt length"), std::string::npos)
        << setting.failure();
    setting.panel().curves = {"chen-5.1"}; // as printed: reads no prompt
    EXPECT_EQ(setting.failure(), "");
}

TEST(PanelRefusals, WhatIsMissingIsSaid)
{
    Setting setting;
    EXPECT_NE(setting.failure(2).find("must be a number from 1 to 1"), std::string::npos);
    setting.panel().baseline = "volume";
    EXPECT_NE(setting.failure().find("no policy has a value of ratio-of-means over volume"),
              std::string::npos);
    setting.panel().baseline = "h-sf";
    setting.store.cells[0].instances = 0;
    EXPECT_NE(setting.caption().find("1 of 4 cells not run yet"), std::string::npos);
    setting.panel().sweep = "other";
    EXPECT_NE(setting.failure().find("sweep \"other\" has no cells"), std::string::npos);
    for (auto& one : setting.store.cells) one.instances = 0;
    EXPECT_EQ(setting.failure(), "x.db: no finished cells yet\n  run crx sweep first");
}

TEST(PanelRefusals, APanelWithoutAnyValueIsLeftOutAndNamed)
{
    Setting setting;
    auto empty = setting.panel();
    empty.title = "Empty";
    empty.baseline = "volume";
    setting.experiment.panels.push_back(empty);
    EXPECT_EQ(setting.document()["panels"].size(), 2u);
    EXPECT_NE(setting.caption().find("Without any value: Empty."), std::string::npos);
    EXPECT_NE(setting.failure(2).find("no policy has a value of ratio-of-means over volume"),
              std::string::npos);
}

TEST(PanelRefusals, APanelThatOnlyWaitsIsLeftOutAndNamed)
{
    Setting setting;
    auto later = setting.panel();
    later.title = "Later";
    later.where = {{"r", 3}};
    later.worst_over.clear();
    setting.experiment.panels.push_back(later);
    setting.store.cells.push_back(cell(0.1, 3, 200));
    setting.store.cells.back().instances = 0;
    EXPECT_EQ(setting.document()["panels"].size(), 1u);
    EXPECT_NE(setting.caption().find("Nothing to draw yet: Later."), std::string::npos);
    EXPECT_NE(setting.failure(2).find("no finished cell has r = 3"), std::string::npos);
    setting.store.cells.back().instances = 2;
    EXPECT_EQ(setting.document()["panels"].size(), 2u);
    EXPECT_EQ(setting.caption().find("Nothing to draw yet"), std::string::npos);
}

} // namespace
} // namespace crx
