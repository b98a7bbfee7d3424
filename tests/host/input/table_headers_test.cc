#include "host/experiment/small_experiment.hh"

#include "host/input/config_value.hh"

#include <gtest/gtest.h>

namespace crx {

namespace {

std::string const sweep_tables =
    "accepted here: baselines, capacity, experiment, measures, model, panel, policy, run, stop, "
    "sweep, variables, workload";

// The small experiment has 24 lines; its sweep has a table of axes, so another one is there twice.
std::string const second_axes = "name = \"second\"\n[sweep.axes]\nalpha = [0.2]\n";

TEST(TableHeaders, AMisspeltTableIsNamedBeforeWhatTomlMakesOfIt)
{
    EXPECT_EQ(error_of(small_experiment + "[[swep]]\n" + second_axes),
              "x.toml:25: [[swep]]\n  unknown table; " + sweep_tables +
                  " (did you mean sweep?)\n  x.toml:27:1: not valid TOML: Error while parsing "
                  "table header: cannot redefine existing table 'sweep.axes'");
    EXPECT_EQ(error_of(small_experiment + "[ swep . set ]\n[sweep.axes]\n"),
              "x.toml:25: [swep..]\n  unknown table; " + sweep_tables +
                  " (did you mean sweep?)\n  x.toml:26:1: not valid TOML: Error while parsing "
                  "table header: cannot redefine existing table 'sweep.axes'");
}

TEST(TableHeaders, TooFewBracketsAreNamed)
{
    EXPECT_EQ(error_of(small_experiment + "[sweep]\n" + second_axes),
              "x.toml:25: [sweep]\n  not accepted: must be written as [[sweep]], as there may be "
              "several\n  x.toml:25:1: not valid TOML: Error while parsing table header: cannot "
              "redefine existing array 'sweep' as table");
    EXPECT_EQ(error_with("[[policy]]", "[policy]\nid = \"a-min\"\n[[policy]]"),
              "x.toml:20: [policy]\n  not accepted: must be written as [[policy]], as there may be "
              "several\n  x.toml:22:1: not valid TOML: Error while parsing table header: cannot "
              "redefine existing table 'policy' as array-of-tables");
    EXPECT_EQ(error_with("[[sweep]]", "[sweep]"),
              "x.toml:22: sweep = { name = \"alpha\", axes = { alpha = [0.5, 0.1, 1] } }\n"
              "  not accepted: must be written as [[sweep]], as there may be several");
    EXPECT_EQ(error_with("[[policy]]", "[policy]"),
              "x.toml:20: policy = { id = \"a-max\" }\n"
              "  not accepted: must be written as [[policy]], as there may be several");
}

TEST(TableHeaders, TooManyBracketsAreNamed)
{
    EXPECT_EQ(error_with("[stop]", "[[stop]]"),
              "x.toml:5: stop = [{ instances = 4 }]\n"
              "  not accepted: must be a table, written as [stop], once");
    EXPECT_EQ(error_of(small_experiment + "[[stop]]\n"),
              "x.toml:25: [[stop]]\n  not accepted: must be written as [stop], once\n"
              "  x.toml:25:1: not valid TOML: Error while parsing table header: cannot redefine "
              "existing table 'stop' as array-of-tables");
}

TEST(TableHeaders, WhatIsThereTwiceStaysTomls)
{
    EXPECT_EQ(error_of(small_experiment + "[stop]\n"),
              "x.toml:25:1: not valid TOML: Error while parsing table header: cannot redefine "
              "existing table 'stop'");
    EXPECT_EQ(error_with("seed = 7", "seed = 7\nseed = 8"),
              "x.toml:5:8: not valid TOML: Error while parsing key-value pair: cannot redefine "
              "existing integer 'seed'");
}

// Lists that go over lines begin lines with brackets too.
TEST(TableHeaders, ListsAreNoHeaders)
{
    TableNames const known{{"stop"}, {"sweep"}};
    EXPECT_EQ(wrong_header("[stop]\n[[sweep]]\n[1, 2],\n[[\"a\"], []]\n[\n[[\n  [sweep.axes]\n",
                           "x.toml", 7, known),
              "");
    EXPECT_EQ(wrong_header("[stop]\n\t[stpo]", "x.toml", 1, known), "");
    EXPECT_EQ(wrong_header("[stop]\n\t[stpo]", "x.toml", 2, known),
              "x.toml:2: [stpo]\n  unknown table; accepted here: stop, sweep (did you mean stop?)");
}

} // namespace

} // namespace crx
