// A value that is not accepted is reported where it stands, also where another one that uses it is
// computed first.
#include "small_experiment.hh"

#include <gtest/gtest.h>

namespace crx {

namespace {

/// The small experiment whose requests are `requests`, with one further change.
std::string error_where(std::string const& requests, std::string const& from, std::string const& to)
{
    return error_of(
        with(with(small_experiment, "requests = 10", "requests = \"" + requests + "\""), from, to));
}

TEST(UsedFields, ABadFieldIsReportedAtTheField)
{
    auto const positive = "  not accepted: must be an integer in [1, 2147483647]";
    EXPECT_EQ(error_where("2 * memory", "memory = 100", "memory = -500"),
              std::string("x.toml:11: workload.memory = -500\n") + positive);
    EXPECT_EQ(error_where("2 * memory", "memory = 100", "memory = \"-500 * alpha\""),
              std::string("x.toml:11: workload.memory = \"-500 * alpha\", which is -50 at alpha = "
                          "0.1 (sweep alpha)\n") +
                  positive);
    EXPECT_EQ(error_where("2 * prompt", "prompt = 3", "prompt = -3"),
              "x.toml:12: workload.prompt = -3\n"
              "  not accepted: must be an integer in [0, 2147483647]");
    EXPECT_EQ(error_where("2 * upper", "upper = 20", "upper = -20"),
              std::string("x.toml:16: workload.output.upper = -20\n") + positive);
    EXPECT_EQ(error_where("9 * lower", "max(1, round(alpha * upper))", "-2 * upper * alpha"),
              std::string("x.toml:15: workload.output.lower = \"-2 * upper * alpha\", which is -4 "
                          "at alpha = 0.1 (sweep alpha)\n") +
                  positive);
    EXPECT_EQ(error_where("10 * short_fraction", "t / (1 + t)", "t - 3"),
              "x.toml:17: workload.output.short_fraction = \"t - 3\", which is -2 at alpha = 0.1 "
              "(sweep alpha)\n  not accepted: must be a number in [0, 1]");
    EXPECT_EQ(error_where("10 * rate", "[[policy]]",
                          "[workload.arrivals]\nlaw = \"poisson\"\nrate = -2\n[[policy]]"),
              "x.toml:22: workload.arrivals.rate = -2\n"
              "  not accepted: must be a number above 0");
}

TEST(UsedFields, AnAxisThatGivesAFieldIsReportedAtTheAxis)
{
    EXPECT_EQ(error_where("2 * memory", "alpha = [0.5, 0.1, 1]", "alpha = [1], memory = [-500]"),
              "x.toml:24: workload.memory = \"memory\", which is -500 at alpha = 1, memory = -500 "
              "(sweep alpha)\n  not accepted: must be an integer in [1, 2147483647]");
}

TEST(UsedFields, AnAxisOfTheIntervalIsReportedAtTheAxis)
{
    auto const text = with(small_experiment, "alpha = [0.5, 0.1, 1]", "alpha = [1], x = [-0.5]");
    EXPECT_EQ(error_of(with(with(text, "requests = 10", "requests = \"10 * x\""), "\"support\"",
                            "\"relative\"")),
              "x.toml:24: workload.interval.x = \"x\", which is -0.5 at alpha = 1, x = -0.5 (sweep "
              "alpha)\n  not accepted: must be a number in [0, 1]");
}

TEST(UsedFields, AVariableWithoutValueIsReportedAtTheVariable)
{
    EXPECT_EQ(error_where("10 * t", "t = 1\n", "t = \"log(-1)\"\n"),
              "x.toml:8: variables.t = \"log(-1)\", which is nan\n"
              "  not accepted: must be a finite number");
}

// A variable has no range of its own: what it makes of another value is that one's.
TEST(UsedFields, AVariableThatIsOnlyNegativeIsReportedWhereItIsUsed)
{
    EXPECT_EQ(error_where("10 * t", "t = 1\n", "t = -1\n"),
              "x.toml:10: workload.requests = \"10 * t\", which is -10 at alpha = 0.1 (sweep alpha)"
              "\n  not accepted: must be an integer in [1, 100000000]");
}

} // namespace

} // namespace crx
