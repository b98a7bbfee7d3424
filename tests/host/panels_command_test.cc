#include "host/experiment/small_experiment.hh"
#include "host/experiment/trace_panel_experiment.hh"
#include "host/input/scratch_file.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// `crx panels` from a store that `crx sweep` made.
namespace crx {
namespace {

std::string run_in_folder(std::string const& arguments)
{
    return crx_test::run_program(arguments, ".", false).with_status();
}

TEST(PanelsCommand, PrintsTheLineThroughExactLatencies)
{
    // One request after the other, o = 20, s = 0, M = 20: a mean latency of 20 (n + 1) / 2 rounds.
    auto text = with(small_experiment, "memory = 100\nprompt = 3\n", "memory = 20\nprompt = 0\n");
    text = with(text, "lower = \"max(1, round(alpha * upper))\"", "lower = 20");
    text = with(text, "axes = { alpha = [0.5, 0.1, 1] }", "axes = { requests = [2, 4, 8, 16] }");
    text += "[[panel]]\nsweep = \"alpha\"\nx = \"requests\"\ntitle = \"P\"\n"
            "measure = \"mean-latency\"\nfit = \"linear\"\n";
    ScratchFile const file(text);
    auto const store = (file.folder() / "x.db").string();
    EXPECT_NE(run_in_folder("sweep " + file.path().string() + " --db " + store + " 2>&1")
                  .find("status 0"),
              std::string::npos);
    auto const answer = run_in_folder("panels " + store + " --json");
    auto const end = answer.rfind("status 0");
    ASSERT_NE(end, std::string::npos) << answer;
    auto const panels = nlohmann::json::parse(answer.substr(0, end)).at("panels");
    auto const& series = panels.at(0).at("series").at(0);
    EXPECT_EQ(series.at("policy"), "a-max");
    ASSERT_EQ(series.at("points").size(), 4u);
    EXPECT_EQ(series.at("points").at(3).at("y"), 170);
    // All instances are equal: an interval of no width is not given.
    EXPECT_TRUE(series.at("points").at(3).at("low").is_null());
    auto const& fit = series.at("line");
    EXPECT_NEAR(fit.at("slope").get<double>(), 10, 1e-12);
    EXPECT_NEAR(fit.at("intercept").get<double>(), 10, 1e-12);
    EXPECT_NEAR(fit.at("half_width_scatter").get<double>(), 0, 1e-10);
    EXPECT_TRUE(fit.at("half_width_sampling").is_null());
    EXPECT_EQ(fit.at("from"), 2);
    EXPECT_EQ(fit.at("to"), 16);
    EXPECT_NE(run_in_folder("panels " + store).find("a-max\n             2  30  4 instances\n"),
              std::string::npos)
        << run_in_folder("panels " + store);
}

// All that is shown is in the store: it is drawn where it is alone.
TEST(PanelsCommand, NeedsNothingButTheStore)
{
    crx_test::TemporaryFolder const folder, elsewhere;
    std::ofstream(folder / "trace.toml") << trace_panel_experiment;
    std::ofstream(folder / "lengths.csv") << "prompt,output\n3,4\n1,9\n2,2\n";
    auto const in = [](crx_test::TemporaryFolder const& place, std::string const& arguments) {
        return crx_test::run_program(arguments, place.path()).with_status();
    };
    EXPECT_NE(in(folder, "sweep trace.toml --backend cpu --db x.db").find("status 0"),
              std::string::npos);
    auto const numbers = in(folder, "panels x.db --json");
    EXPECT_NE(numbers.find("status 0"), std::string::npos) << numbers;
    EXPECT_NE(numbers.find("\"confidence\": 0.9"), std::string::npos) << numbers;
    std::filesystem::copy(folder / "x.db", elsewhere / "x.db");
    std::filesystem::remove(folder / "lengths.csv");
    for (auto const* place : {&folder, &elsewhere}) {
        EXPECT_EQ(in(*place, "panels x.db --json"), numbers);
    }
    // Running again does need it.
    EXPECT_NE(in(folder, "replay x.db --cell 0 --instance 0").find("a trace that can be read"),
              std::string::npos);
}

// Prompt 2, outputs to 30, M = 40: five requests under `protect` end in some runs, fifty in none.
TEST(PanelsCommand, SaysWhatStandsBehindAValueAndWhichAreMissing)
{
    ScratchFile const file(R"toml([experiment]
name = "x"
seed = 1
[stop]
instances = 40
[workload]
requests = 50
memory = 40
prompt = 2
[workload.output]
law = "uniform"
lower = 1
upper = 30
[workload.interval]
rule = "support"
[[policy]]
id = "mc-sf"
[[policy]]
id = "protect"
alpha = 0.1
[[policy]]
id = "protect"
alpha = 0
label = "never"
[[sweep]]
name = "n"
[sweep.axes]
requests = [1, 5, 50]
[[panel]]
sweep = "n"
x = "requests"
[[panel]]
sweep = "n"
x = "requests"
where = { requests = 50 }
[[panel]]
sweep = "n"
x = "memory"
worst_over = "requests"
)toml");
    auto const store = (file.folder() / "x.db").string();
    ASSERT_NE(run_in_folder("sweep " + file.path().string() + " --db " + store + " 2>&1")
                  .find("status 0"),
              std::string::npos);
    auto const answer = run_in_folder("panels " + store + " --json");
    auto const panels =
        nlohmann::json::parse(answer.substr(0, answer.rfind("status 0"))).at("panels");
    auto const& series = panels.at(0).at("series");
    ASSERT_EQ(series.size(), 3u);
    EXPECT_EQ(series[0].at("points").at(2).at("instances"), 40);
    EXPECT_EQ(series[0].at("points").at(2).at("unfinished"), 0);
    EXPECT_FALSE(series[0].contains("without_value"));
    ASSERT_EQ(series[1].at("points").size(), 2u); // n = 50 is not there
    auto const& some = series[1].at("points").at(1);
    auto const finished = some.at("instances").get<int>();
    EXPECT_GT(finished, 0);
    EXPECT_EQ(some.at("unfinished"), 40 - finished);
    EXPECT_LT(finished, 40);
    auto const& gone = series[1].at("without_value").at(0);
    EXPECT_EQ(gone.at("x"), 50);
    EXPECT_EQ(gone.at("instances"), 0);
    EXPECT_EQ(gone.at("unfinished"), 40);
    // Nothing but what is missing: a series all the same.
    auto const& lost = panels.at(1).at("series").at(1);
    EXPECT_EQ(lost.at("policy"), "protect");
    EXPECT_TRUE(lost.at("points").empty());
    EXPECT_EQ(lost.at("without_value").size(), 1u);
    // The largest of those cells that have a value.
    auto const& worst = panels.at(2).at("series").at(1);
    EXPECT_EQ(worst.at("points").at(0).at("instances"), 40); // n = 1: ratio 1
    EXPECT_EQ(worst.at("points").at(0).at("unfinished"), 0);
    EXPECT_EQ(worst.at("points").at(0).at("unfinished_in_other_cells"), 40 - finished + 40);
    EXPECT_EQ(worst.at("without_value").at(0).at("cells"), 1);
    EXPECT_EQ(worst.at("without_value").at(0).at("of_cells"), 3);
    auto const text = run_in_folder("panels " + store);
    EXPECT_NE(text.find(fmt::format("  {} instances, {} unfinished\n", finished, 40 - finished)),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("            50  no value: 0 instances, 40 unfinished\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(fmt::format("  40 instances, {} unfinished in the other cells here\n",
                                    40 - finished + 40)),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("no value in 1 of 3 cells: 0 instances, 40 unfinished\n"),
              std::string::npos)
        << text;
}

} // namespace
} // namespace crx
