#include "support/temporary_folder.hh"
#include "tests/host/iteration/small_paths.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// The commands on an experiment of the iteration model.
namespace crx {
namespace {

using Json = nlohmann::json;

struct IterationProgram : testing::Test
{
    IterationProgram()
    {
        std::ofstream(folder / "x.toml")
            << small_paths("id = 'wait'\nlabel = 'WAIT, \"both\"'\nthresholds = 'inside'\n"
                           "[[policy]]\nid = 'fcfs-vllm'\nmemory = 40\n"
                           "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = 'throughput-gap'\n"
                           "log_x = true\nlog_y = true\nfit = 'log-log'\ncurves = ['x^-1']\n"
                           "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = "
                           "'overflow-frequency'\n");
    }
    std::string run(std::string const& options, int status = 0) const
    {
        auto const answer = crx_test::run_program(options, folder.path(), false);
        EXPECT_EQ(answer.status, status) << options << "\n" << answer.text;
        return answer.text;
    }
    Json rows(std::string const& store) const { return Json::parse(run("export --json " + store)); }

    crx_test::TemporaryFolder folder;
};

// A smaller target first, other chunks and threads: the same bytes as an undisturbed run.
TEST_F(IterationProgram, GoesOnToTheSameBytes)
{
    run("sweep x.toml --backend cpu --db a.db");
    run("sweep x.toml --backend cpu --db b.db --threads 1 --set stop.instances=7");
    EXPECT_EQ(rows("b.db").at(0).at("instances"), 7);
    run("sweep x.toml --backend cpu --db b.db --threads 2");
    EXPECT_EQ(run("export a.db"), run("export b.db"));
    EXPECT_EQ(rows("a.db").size(), 8u); // two policies at four horizons
}

TEST_F(IterationProgram, DrawsAndPrintsItsPanels)
{
    run("sweep x.toml --backend cpu --db a.db");
    auto const panels = Json::parse(run("panels --json a.db"));
    auto const& wait = panels.at(0).at("series").at(0);
    EXPECT_EQ(wait.at("policy"), "WAIT, \"both\"");
    EXPECT_EQ(wait.at("points").size(), 4u);
    EXPECT_LT(wait.at("line").at("slope"), -0.5);
    EXPECT_GT(wait.at("line").at("half_width_sampling"), 0);
    // WAIT has no limit of memory, so no share of paths above it.
    EXPECT_EQ(panels.at(1).at("series").at(0).at("policy"), "fcfs-vllm");
    run("plot a.db -o a.svg");
    EXPECT_TRUE(std::filesystem::exists(folder / "a.svg"));
}

// A finished store is drawn with the panels of another file.
TEST_F(IterationProgram, TakesOtherPanels)
{
    run("sweep x.toml --backend cpu --db a.db --set stop.instances=10");
    std::ofstream(folder / "p.toml")
        << "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = 'iterations'\n";
    auto const panels = Json::parse(run("panels --json a.db --panels p.toml"));
    ASSERT_EQ(panels.size(), 1u);
    EXPECT_EQ(panels.at(0).at("measure"), "iterations");
    run("plot a.db --panels p.toml -o p.svg");
    EXPECT_TRUE(std::filesystem::exists(folder / "p.svg"));
    run("plot a.db --panels p.toml -o p.toml", 2);
    std::ofstream(folder / "none.toml") << "[stop]\n";
    run("panels a.db --panels none.toml", 2);
}

// Weighted by arrivals, the means of the types are those of all within what paths with unlike
// numbers of arrivals make of it.
TEST_F(IterationProgram, KeepsSumsOfTypes)
{
    run("sweep x.toml --backend cpu --db a.db");
    run("sweep x.toml --backend cpu --db t.db --set run.by_type=true");
    auto const all = rows("a.db"), typed = rows("t.db");
    ASSERT_EQ(typed.size(), 3 * all.size());
    Json totals = Json::array();
    for (auto const& row : typed)
        if (row.at("type").is_null()) totals.push_back(row);
    EXPECT_EQ(totals, all);
    for (auto const& total : totals) {
        double sum = 0, arrivals = 0;
        for (auto const& row : typed) {
            if (row.at("type").is_null() || row.at("policy") != total.at("policy") ||
                row.at("horizon") != total.at("horizon"))
                continue;
            auto const n = row.at("arrivals_sum").get<double>();
            sum += n * row.at("mean_latency").get<double>();
            arrivals += n;
        }
        EXPECT_EQ(arrivals, total.at("arrivals_sum").get<double>());
        auto const mean = total.at("mean_latency").get<double>();
        EXPECT_NEAR(sum / arrivals, mean, 0.1 * mean);
    }
    auto const panels = Json::parse(run("panels --json t.db"));
    EXPECT_EQ(panels.at(0).at("series").at(0).at("points").size(), 4u);
}

TEST_F(IterationProgram, ReplaysAPath)
{
    run("sweep x.toml --backend cpu --db a.db --set stop.instances=1");
    auto const kept = rows("a.db");
    auto const path = Json::parse(run("replay a.db --cell 0 --instance 0 --json"));
    ASSERT_EQ(path.size(), 2u);
    std::size_t compared = 0;
    for (auto const& row : kept)
        for (auto const& policy : path)
            for (auto const& at : policy.at("horizons"))
                if (policy.at("policy") == row.at("policy") &&
                    at.at("horizon") == row.at("horizon")) {
                    EXPECT_EQ(at.at("arrivals"), row.at("arrivals_sum"));
                    EXPECT_EQ(at.at("mean_latency"), row.at("mean_latency"));
                    EXPECT_EQ(at.at("peak_memory"), row.at("largest_memory"));
                    EXPECT_EQ(std::to_string(at.at("iterations").get<int>()),
                              row.at("iterations_sum"));
                    ++compared;
                }
    EXPECT_EQ(compared, path[0].at("horizons").size() + path[1].at("horizons").size());
    run("replay a.db --cell 0 --instance 0 --policy fcfs-vllm --timeline t.csv --plot t.svg");
    EXPECT_TRUE(std::filesystem::exists(folder / "t.svg"));
    run("replay a.db --cell 0 --instance 0 --write-instance i.csv", 2);
}

TEST_F(IterationProgram, HasATheory)
{
    EXPECT_NE(run("fluid x.toml").find("memory M*            9 tokens"), std::string::npos);
    EXPECT_EQ(Json::parse(run("fluid x.toml --json")).at("policies").size(), 2u);
}

} // namespace
} // namespace crx
