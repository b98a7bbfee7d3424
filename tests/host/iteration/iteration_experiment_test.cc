#include "host/iteration/iteration_report.hh"

#include "host/error.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace crx {
namespace {

/// AO appendix A.3 at one second an iteration.
std::string file(std::string const& policy, std::string const& d1 = "0.05",
                 std::string const& rate = "1")
{
    return "[machine]\nd0 = 0.55\nd1 = " + d1 +
           "\n[[type]]\nprompt = 1\noutput = 1\nrate = " + rate +
           "\n[[type]]\nprompt = 1\noutput = 2\nrate = 1\n"
           "[run]\npaths = 40\nhorizon = 8\ndoublings = 3\n[[policy]]\n" +
           policy;
}

std::string message(std::string const& text)
{
    try {
        IterationExperiment::parse(text, "x.toml");
    } catch (InputError const& error) {
        return error.what();
    }
    return "accepted";
}

TEST(IterationExperiment, LeastThresholdsAndTheBound)
{
    auto const wait = IterationExperiment::parse(file("id = 'wait'\nthresholds = 'least'"), "x");
    EXPECT_EQ(wait.policies[0].thresholds, (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(wait.policies[0].batch_tokens, 9);
    EXPECT_EQ(wait.time.of(9), 1'000'000'000);
    auto const nested = IterationExperiment::parse(
        file("id = 'nested-wait'\nends = [1, 2]\nthresholds = [4, 3]\ndelta = 0.1"), "x");
    // M^pi 4 (1 + 2) + 3 * 3; queue 3 * 2; theta of (4, 3, 1/2) for the rest.
    EXPECT_EQ(nested.policies[0].memory_bound->batch, 21);
    EXPECT_EQ(nested.policies[0].memory_bound->queues, 6);
    EXPECT_EQ(nested.policies[0].spec.memory,
              static_cast<Tokens>(nested.policies[0].memory_bound->total()));
    auto const fcfs = IterationExperiment::parse(file("id = 'fcfs-vllm'\nmemory = 'fluid'"), "x");
    EXPECT_EQ(fcfs.policies[0].spec.memory, 9);
}

TEST(IterationExperiment, IntegersOfListsMayBeWrittenAsReals)
{
    auto const wait = IterationExperiment::parse(
        file("id = 'wait'\nthresholds = [1.0, 2e0]\naccept_broken_condition = true"), "x");
    EXPECT_EQ(wait.policies[0].thresholds, (std::vector<std::int64_t>{1, 2}));
    for (std::string const wrong : {"1.5", "0.0", "1e10", "1e17", "nan", "'1'"})
        EXPECT_NE(message(file("id = 'wait'\nthresholds = [1, " + wrong + "]"))
                      .find("must be a list of integers in [1, 1000000000]"),
                  std::string::npos)
            << wrong;
}

TEST(IterationExperiment, AFileOfTheOtherCommandIsNamedAsSuch)
{
    EXPECT_EQ(
        message("[workload]\nn = 10\n"),
        "x.toml: an experiment of `crx sweep`, as it has a [workload]; `crx iterate` takes one "
        "that has a [machine]");
}

TEST(IterationExperiment, CutsEvenSegments)
{
    auto const even = IterationExperiment::parse(
        file("id = 'nested-wait'\nsegments = 2\nthresholds = 'least'"), "x");
    EXPECT_EQ(even.policies[0].groups[0].ends, (std::vector<Tokens>{1, 2}));
    EXPECT_EQ(even.policies[0].thresholds, (std::vector<std::int64_t>{3, 2}));
    EXPECT_EQ(message(file("id = 'nested-wait'\nsegments = 3\nthresholds = 'least'")),
              "x.toml:18: policy.0.segments = 3\n  not accepted: must be an integer in [1, 2]");
    EXPECT_EQ(message(file("id = 'nested-wait'\nsegments = 2\nends = [1, 2]\nthresholds = [3, 2]")),
              "x.toml:19: policy.0.ends = [1, 2]\n  not accepted: must be left out where segments "
              "are given");
}

TEST(IterationExperiment, NamesWhatIsUnstable)
{
    EXPECT_EQ(message(file("id = 'wait'\nthresholds = 'least'", "0.2")),
              "x.toml:12: the load is unstable: D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2) = 1.8, "
              "which must be below 1\n  run.accept_unstable = true runs it all the same");
}

TEST(IterationExperiment, NamesAShareOfTimeTooNearOne)
{
    for (auto const* policy :
         {"id = 'wait'\nthresholds = 'least'", "id = 'wait'\nthresholds = 'inside'",
          "id = 'nested-wait'\nends = [1, 2]\nthresholds = 'least'"}) {
        auto const text = message(file(policy, "0.11111111111"));
        EXPECT_EQ(text.find("x.toml:16: no thresholds to run with: the least thresholds are above "
                            "1000000000, as 1 - D is only 9.9"),
                  0u)
            << text;
    }
}

TEST(IterationExperiment, NamesThresholdsOfABatchThatNoIntegerHolds)
{
    EXPECT_EQ(message("[machine]\nd0 = 0.1\nd1 = 0.001\n[[type]]\nprompt = 1000000\n"
                      "output = 1000000\nrate = 1\n[run]\nseed = 1\npaths = 40\nhorizon = 25\n"
                      "doublings = 1\naccept_unstable = true\n[[policy]]\nid = 'wait'\n"
                      "thresholds = [1000000000]\naccept_broken_condition = true\n"),
              "x.toml:16: policy.0.thresholds = [1000000000]\n  not accepted: must be smaller: a "
              "full batch has more than 2^62 tokens");
}

TEST(IterationExperiment, NamesThresholdsThatBreakTheConditions)
{
    EXPECT_EQ(message(file("id = 'wait'\nthresholds = [1, 1]", "0.06")),
              "x.toml:16: policy.0.thresholds\n  AO (9): type 0 has threshold 1 but 1.09 arrivals "
              "are expected in a full batch of 1.09 s\n"
              "  accept_broken_condition = true runs it all the same");
    EXPECT_EQ(message(file("id = 'nested-wait'\nends = [1, 2]\nthresholds = [4, 2]")),
              "x.toml:16: policy.0.thresholds\n  AO (10): segment 2 has threshold 2, which must "
              "exceed p_1 n_1 = 2\n  accept_broken_condition = true runs it all the same");
    EXPECT_EQ(
        message(file("id = 'wait'\nthresholds = [1, 1]\naccept_broken_condition = true", "0.06")),
        "accepted");
}

TEST(IterationExperiment, RefusesOverlappingSegmentsAndZeroRates)
{
    EXPECT_EQ(message(file("id = 'nested-wait'\nends = [2, 2]\nthresholds = [4, 3]")),
              "x.toml:18: policy.0.ends = [2, 2]\n  not accepted: segments overlap: segment 2 ends "
              "at stage 2, the one before at 2");
    EXPECT_EQ(message(file("id = 'wait'\nthresholds = 'least'", "0.05", "0")),
              "x.toml:7: type.0.rate = 0\n  not accepted: must be a positive number of prompts per "
              "second below 10^9, or a list of such, or 0, one a slice");
    EXPECT_EQ(message(file("id = 'fcfs-vllm'\nmemory = 2")),
              "x.toml:18: policy.0.memory = 2\n  not accepted: must be an integer in [3, "
              "1000000000000]");
}

// Fluid minus throughput, averaged over paths, is the mean gap: both have the same mean, so they
// agree within their intervals (99.9 %), with thousands of arrivals.
TEST(IterationExperiment, GapIsFluidMinusThroughput)
{
    auto const experiment = IterationExperiment::parse(
        file("id = 'wait'\nthresholds = 'inside'"), "x.toml",
        {"run.paths=2000", "run.horizon=50", "run.confidence=0.9999999"});
    auto const paths = launch_paths(experiment.cell(experiment.policies[0]), 0, experiment.paths);
    auto const curve = fluid::heavy_traffic_curve(paths, 0, experiment.confidence);
    for (auto const& point : curve.points)
        EXPECT_NEAR(point.gap.mean, 3 - point.throughput.mean,
                    point.gap.half_width + point.throughput.half_width);
    EXPECT_NEAR(curve.gap.value, -1, 0.1);
    // A row a horizon under the header; the numbers are finite.
    auto const csv = iteration_csv(experiment, {curve});
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4);
    EXPECT_EQ(csv.find("nan"), std::string::npos);
}

// A policy without `memory` has no capacity to pass, and what is not known is left empty.
TEST(IterationExperiment, TablesLeaveEmptyWhatIsNotKnown)
{
    auto const tables = [](std::string const& policy) {
        auto const experiment = IterationExperiment::parse(file(policy), "x.toml", {});
        fluid::HeavyTrafficCurve curve;
        fluid::HorizonPoint point;
        point.horizon = 10;
        point.gap = point.gap_as_in_8 = point.throughput = point.peak_memory = {2, std::nan("")};
        point.latency = point.first_token = {std::nan(""), std::nan("")};
        point.overflow = fluid::frequency(0, 40, 0.95);
        curve.points = {point};
        curve.latency = {0.5, std::nan("")};
        curve.first_token = {std::nan(""), std::nan("")};
        return std::array{iteration_csv(experiment, {curve}), iteration_json(experiment, {curve}),
                          exponents_text(experiment, {curve})};
    };
    auto const holds = [](std::string const& text, std::string const& part) {
        return text.find(part) != std::string::npos;
    };
    auto const [csv, json, text] = tables("id = 'wait'\nthresholds = 'inside'");
    EXPECT_TRUE(holds(csv, ",1,10,40,2,,2,,2,,,,,,2,,0,,,,,0,0\n")) << csv;
    EXPECT_TRUE(holds(json, "\"overflow_paths\": null")) << json;
    EXPECT_TRUE(holds(json, "\"overflow_high\": null")) << json;
    EXPECT_TRUE(holds(json, "\"half_width\": null")) << json;
    EXPECT_FALSE(holds(text, "nan")) << text;
    EXPECT_TRUE(holds(text, " 0.500 ") && holds(text, " none ")) << text;
    auto const limited = tables("id = 'fcfs-vllm'\nmemory = 40");
    EXPECT_TRUE(holds(limited[0], ",2,,0,40,0,0,0.0880973,0,0\n")) << limited[0];
    EXPECT_TRUE(holds(limited[1], "\"overflow_paths\": 0")) << limited[1];
}

// The project's own files: accepted, and every policy runs up to its first horizon.
TEST(IterationExperiment, FilesAreAllAccepted)
{
    int files = 0;
    auto const folder = std::filesystem::path(CRX_SOURCE_DIR) / "experiments/iteration";
    auto const traces = std::filesystem::exists(folder / "../../../shared/data");
    std::string skipped;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        if (!traces && entry.path().stem().string().ends_with("_traces")) {
            skipped += entry.path().filename().string() + " ";
            continue;
        }
        SCOPED_TRACE(entry.path());
        auto const experiment = IterationExperiment::read(entry.path(), {});
        for (auto const& policy : experiment.policies) {
            auto cell = experiment.cell(policy);
            cell.checkpoints = {cell.checkpoints.front()};
            EXPECT_GT(execute_path(cell, 0).back().iterations, 0);
        }
        ++files;
    }
    EXPECT_GE(files, 4);
    if (!skipped.empty()) GTEST_SKIP() << "no trace data for " << skipped;
}

TEST(Frequency, ClopperPearson)
{
    // No success in n: the upper end is 1 - (a/2)^(1/n).
    auto const none = fluid::frequency(0, 100, 0.95);
    EXPECT_EQ(none.low, 0);
    EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.01), 1e-12);
    auto const some = fluid::frequency(10, 100, 0.95);
    EXPECT_NEAR(some.low, 0.0490, 1e-4); // tabulated
    EXPECT_NEAR(some.high, 0.1762, 1e-4);
}

} // namespace
} // namespace crx
