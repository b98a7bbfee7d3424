#include "analysis/fluid/heavy_traffic.hh"
#include "support/shipped_experiments.hh"
#include "tests/host/experiment/small_experiment.hh"
#include "tests/host/experiment/small_paths.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace crx {
namespace {

TEST(IterationSetting, LeastThresholdsAndTheBound)
{
    auto const wait = setting_of(small_paths("id = 'wait'\nthresholds = 'least'"));
    EXPECT_EQ(wait.policies[0].thresholds, (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(wait.policies[0].batch_tokens, 9);
    EXPECT_EQ(wait.time.of(9), 1'000'000'000);
    auto const nested = setting_of(
        small_paths("id = 'nested-wait'\nends = [1, 2]\nthresholds = [4, 3]\ndelta = 0.1"));
    // M^pi 4 (1 + 2) + 3 * 3; queue 3 * 2; theta of (4, 3, 1/2) for the rest.
    EXPECT_EQ(nested.policies[0].memory_bound->batch, 21);
    EXPECT_EQ(nested.policies[0].memory_bound->queues, 6);
    EXPECT_EQ(nested.policies[0].spec.memory,
              static_cast<Tokens>(nested.policies[0].memory_bound->total()));
    auto const fcfs = setting_of(small_paths("id = 'fcfs-vllm'\nmemory = 'fluid'"));
    EXPECT_EQ(fcfs.policies[0].spec.memory, 9);
}

TEST(IterationSetting, IntegersOfListsMayBeWrittenAsReals)
{
    auto const wait = setting_of(
        small_paths("id = 'wait'\nthresholds = [1.0, 2e0]\naccept_broken_condition = true"));
    EXPECT_EQ(wait.policies[0].thresholds, (std::vector<std::int64_t>{1, 2}));
    for (std::string const wrong : {"1.5", "0.0", "1e10", "1e17", "nan"})
        EXPECT_NE(message_of(small_paths("id = 'wait'\nthresholds = [1, " + wrong + "]"))
                      .find("must be a list of integers in [1, 1000000000]"),
                  std::string::npos)
            << wrong;
}

TEST(IterationSetting, SaysWhatHasBecomeOfOldFiles)
{
    EXPECT_EQ(message_of("[machine]\nd0 = 1\n").substr(0, 56),
              "x.toml: has a [machine], as experiments of the iteration");
}

// What one model has and the other has not is named.
TEST(IterationSetting, RefusesWhatOnlyRoundsHave)
{
    auto const text = small_paths("id = 'wait'\nthresholds = 'inside'\n");
    EXPECT_EQ(
        message_of(text + "[baselines]\nuse = ['volume']\n"),
        "x.toml:27: baselines = { use = [\"volume\"] }\n  not accepted: must be left out: the "
        "iteration model has no denominators, as no instance ends");
    EXPECT_NE(message_of(text + "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = "
                                "'p99-ratio'\n")
                  .find("must be one of attainment, cancellations, first-token-max"),
              std::string::npos);
    EXPECT_NE(message_of(text + "[[panel]]\nsweep = 'paths'\nx = 'd1'\n")
                  .find("must be a panel that says what becomes of axis horizon"),
              std::string::npos);
}

// A policy may get as much memory as another one holds at most.
TEST(IterationSetting, TakesThePeakOfAnother)
{
    auto const pair = [](std::string const& first, std::string const& memory) {
        return small_paths("label = 'first'\n" + first +
                           "\n[[policy]]\nid = 'fcfs-vllm'\nmemory = '" + memory + "'\n");
    };
    std::string const wait = "id = 'wait'\nthresholds = 'inside'";
    EXPECT_EQ(setting_of(pair(wait, "peak-of:first")).policies[1].spec.memory, 18);
    std::string const nested = "id = 'nested-wait'\nends = [1, 2]\nthresholds = 'least'";
    auto const bounded = setting_of(pair(nested + "\ndelta = 0.1", "peak-of:first")).policies;
    EXPECT_EQ(bounded[1].spec.memory, bounded[0].spec.memory);
    EXPECT_NE(message_of(pair(nested, "peak-of:first")).find("whose memory has a bound"),
              std::string::npos);
    EXPECT_NE(message_of(pair(wait, "peak-of:frist")).find("(did you mean first?)"),
              std::string::npos);
}

TEST(IterationSetting, NamesAllThatIsMissing)
{
    EXPECT_EQ(message_of("[model]\nkind = 'iterations'\n[experiment]\nname = 'x'\nseed = 1\n"
                         "[workload]\ndoublings = 3\n[stop]\ninstances = 3\n"),
              "x.toml:1: these keys are missing\n"
              "  policy: must be at least one [[policy]] with an id\n"
              "  sweep: must be at least one [[sweep]] with a name\n"
              "  workload.clock: must be a table with profile, or with d0 and d1\n"
              "  workload.type: must be one [[workload.type]] table or more\n"
              "  workload.horizon: must be a number of seconds");
}

// A number may be an expression of axes and variables, and the clock's fields may be axes.
TEST(IterationSetting, TakesAxes)
{
    auto text = small_paths("id = 'fcfs-sarathi'\nmemory = '9 + extra'\n"
                            "[variables]\nextra = '2 * more'\n");
    auto const at = text.find("[[policy]]");
    text.insert(at, "[sweep.axes]\nmore = [0, 2]\nd1 = [40e6, 50e6]\n");
    auto const experiment = Experiment::parse(text, "x.toml", ".");
    auto const grid = experiment.grid("paths");
    ASSERT_EQ(grid.size(), 4u);
    auto const cell = experiment.make_cell("paths", grid[3]);
    EXPECT_EQ(cell.paths->policies[0].spec.memory, 13);
    EXPECT_DOUBLE_EQ(cell.parameters.at("d1"), 50e6);
    EXPECT_DOUBLE_EQ(experiment.make_cell("paths", grid[0]).parameters.at("d1"), 40e6);
    EXPECT_NE(cell.identity, experiment.make_cell("paths", grid[1]).identity);
    auto misspelt = text;
    misspelt.replace(misspelt.find("'2 * more'"), 10, "'2 * moer'");
    EXPECT_NE(message_of(misspelt).find("variables.extra = \"2 * moer\""), std::string::npos)
        << message_of(misspelt);
    EXPECT_NE(message_of(misspelt).find("moer is none (did you mean the axis more?)"),
              std::string::npos);
    text.replace(text.find("'2 * more'"), 10, "'2'       ");
    EXPECT_NE(message_of(text).find("axes.more\n  not accepted: must be an axis that the cells "
                                    "depend on"),
              std::string::npos);
}

TEST(IterationSetting, CutsEvenSegments)
{
    auto const even =
        setting_of(small_paths("id = 'nested-wait'\nsegments = 2\nthresholds = 'least'"));
    EXPECT_EQ(even.policies[0].groups[0].ends, (std::vector<Tokens>{1, 2}));
    EXPECT_EQ(even.policies[0].thresholds, (std::vector<std::int64_t>{3, 2}));
    EXPECT_EQ(message_of(small_paths("id = 'nested-wait'\nsegments = 3\nthresholds = 'least'")),
              "x.toml:26: policy.0.segments = 3\n  not accepted: must be an integer in [1, 2]");
    EXPECT_EQ(message_of(small_paths(
                  "id = 'nested-wait'\nsegments = 2\nends = [1, 2]\nthresholds = [3, 2]")),
              "x.toml:27: policy.0.ends = [1, 2]\n  not accepted: must be left out where segments "
              "are given");
}

TEST(IterationSetting, NamesWhatIsUnstable)
{
    EXPECT_EQ(message_of(small_paths("id = 'wait'\nthresholds = 'least'", "0.2")),
              "x.toml:8 (sweep paths): the load is unstable: D = d1 sum lambda_j (l'_j+1)(l_j + "
              "l'_j/2) = 1.8, which must be below 1\n  workload.accept_unstable = true runs it all "
              "the same");
}

TEST(IterationSetting, NamesAShareOfTimeTooNearOne)
{
    for (auto const* policy :
         {"id = 'wait'\nthresholds = 'least'", "id = 'wait'\nthresholds = 'inside'",
          "id = 'nested-wait'\nends = [1, 2]\nthresholds = 'least'"}) {
        auto const text = message_of(small_paths(policy, "0.11111111111"));
        EXPECT_EQ(text.find("x.toml:24: no thresholds to run with: the least thresholds are above "
                            "1000000000, as 1 - D is only 9.9"),
                  0u)
            << text;
    }
}

TEST(IterationSetting, NamesThresholdsOfABatchThatNoIntegerHolds)
{
    auto const text =
        message_of(with(with(small_paths("id = 'wait'\nthresholds = [1000000000, 1000000000]\n"
                                         "accept_broken_condition = true\n",
                                         "0.001"),
                             "prompt = 1\noutput = 1", "prompt = 1000000\noutput = 1000000"),
                        "doublings = 3\n", "doublings = 3\naccept_unstable = true\n"));
    EXPECT_NE(text.find("policy.0.thresholds = [1000000000, 1000000000]\n  not accepted: must be "
                        "smaller: a full batch has more than 2^62 tokens"),
              std::string::npos)
        << text;
}

TEST(IterationSetting, NamesThresholdsThatBreakTheConditions)
{
    EXPECT_EQ(message_of(small_paths("id = 'wait'\nthresholds = [1, 1]", "0.06")),
              "x.toml:26: policy.0.thresholds\n  AO (9): type 0 has threshold 1 but 1.09 arrivals "
              "are expected in a full batch of 1.09 s\n"
              "  accept_broken_condition = true runs it all the same");
    EXPECT_EQ(message_of(small_paths("id = 'nested-wait'\nends = [1, 2]\nthresholds = [4, 2]")),
              "x.toml:27: policy.0.thresholds\n  AO (10): segment 2 has threshold 2, which must "
              "exceed p_1 n_1 = 2\n  accept_broken_condition = true runs it all the same");
    EXPECT_EQ(message_of(small_paths(
                  "id = 'wait'\nthresholds = [1, 1]\naccept_broken_condition = true", "0.06")),
              "accepted");
}

TEST(IterationSetting, RefusesOverlappingSegmentsAndZeroRates)
{
    EXPECT_EQ(message_of(small_paths("id = 'nested-wait'\nends = [2, 2]\nthresholds = [4, 3]")),
              "x.toml:26: policy.0.ends = [2, 2]\n  not accepted: segments overlap: segment 2 ends "
              "at stage 2, the one before at 2");
    EXPECT_EQ(
        message_of(small_paths("id = 'wait'\nthresholds = 'least'", "0.05", "0")),
        "x.toml:17: workload.type.0.rate = 0\n  not accepted: must be a number in (0, 1000000000)");
    EXPECT_EQ(message_of(small_paths("id = 'fcfs-vllm'\nmemory = 2")),
              "x.toml:26: policy.0.memory = 2\n  not accepted: must be an integer in [3, "
              "1000000000000]");
}

// Fluid minus throughput, averaged over paths, is the mean gap: both have the same mean, so they
// agree within their intervals. Each of these is false with probability below 10^-7.
TEST(IterationSetting, GapIsFluidMinusThroughput)
{
    constexpr double confidence = 0.9999999;
    auto const setting =
        setting_of(small_paths("id = 'wait'\nthresholds = 'inside'"), {"workload.horizon=50"});
    auto const paths = launch_paths(setting.cell(setting.policies[0]), 0, 2000);
    auto const curve = fluid::heavy_traffic_curve(paths, 0, confidence);
    for (auto const& point : curve.points)
        EXPECT_NEAR(point.gap.mean, 3 - point.throughput.mean,
                    point.gap.half_width + point.throughput.half_width);
    EXPECT_LT(curve.gap.half_width, 0.1);
    EXPECT_NEAR(curve.gap.value, -1, 0.1); // the interval, and what finite horizons leave
}

// The project's own files: every policy runs up to its first horizon.
TEST(IterationSetting, FilesRun)
{
    int files = 0;
    std::string skipped;
    for (auto const& file : crx_test::shipped_experiments()) {
        if (!file.stem().string().starts_with("ao_")) continue;
        if (crx_test::needs_traces(file) && !crx_test::traces_are_here()) {
            skipped += file.filename().string() + " ";
            continue;
        }
        SCOPED_TRACE(file);
        auto const experiment = Experiment::read(file);
        auto const& sweep = experiment.sweeps.front().name;
        auto const planned = experiment.make_cell(sweep, experiment.grid(sweep).front());
        for (auto const& policy : planned.paths->policies) {
            auto cell = planned.paths->cell(policy);
            cell.checkpoints = {cell.checkpoints.front()};
            EXPECT_GT(execute_path(cell, 0).back().iterations, 0);
        }
        ++files;
    }
    EXPECT_GE(files, 16);
    if (!skipped.empty()) GTEST_SKIP() << "no trace data for " << skipped;
}

TEST(Frequency, ClopperPearson)
{
    // No success in n: the upper end is 1 - (a/2)^(1/n).
    auto const none = frequency(0, 100, 0.95);
    EXPECT_EQ(none.low, 0);
    EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.01), 1e-12);
    auto const some = frequency(10, 100, 0.95);
    EXPECT_NEAR(some.low, 0.0490, 1e-4); // tabulated
    EXPECT_NEAR(some.high, 0.1762, 1e-4);
}

} // namespace
} // namespace crx
