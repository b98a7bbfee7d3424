#include "host/experiment/paths.hh"
#include "host/store/run_store.hh"
#include "host/sweep/plan.hh"
#include "support/temporary_folder.hh"
#include "tests/host/experiment/small_paths.hh"
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
    void write(std::string const& name, std::string const& text) const
    {
        std::ofstream(folder / name) << text;
    }
    /// small_paths with axes in its sweep.
    static std::string with_axis(std::string const& policy, std::string const& axes)
    {
        auto text = small_paths(policy);
        std::string const sweep = "[[sweep]]\nname = 'paths'\n";
        return text.replace(text.find(sweep), sweep.size(), sweep + "axes = { " + axes + " }\n");
    }
    static Json panels_of(std::string const& text) { return Json::parse(text).at("panels"); }
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
    auto const panels = panels_of(run("panels --json a.db"));
    auto const& wait = panels.at(0).at("series").at(0);
    EXPECT_EQ(wait.at("policy"), "WAIT, \"both\"");
    EXPECT_EQ(wait.at("points").size(), 4u);
    EXPECT_LT(wait.at("line").at("slope"), -0.5);
    EXPECT_GT(wait.at("line").at("half_width_sampling"), 0);
    // WAIT has no limit of memory, so no share of paths above it.
    EXPECT_EQ(panels.at(1).at("series").at(0).at("policy"), "fcfs-vllm");
}

// Prompts are told apart and the sums stay; the store goes on to the same bytes. A policy without
// memory has no share of it.
TEST_F(IterationProgram, KeepsMeasuresOfPrompts)
{
    std::ofstream(folder / "m.toml", std::ios::app)
        << std::ifstream(folder / "x.toml").rdbuf()
        << "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = 'latency-p99'\n"
           "[[panel]]\nsweep = 'paths'\nx = 'throughput-tokens'\nmeasure = 'memory-mean'\n"
           "[measures]\nslo = { latency = '2 s' }\n";
    EXPECT_NE(run("info --engines m.toml").find("[measures] are of each prompt"),
              std::string::npos);
    run("sweep x.toml --backend cpu --db a.db");
    run("sweep m.toml --backend cpu --db m.db --threads 1 --set stop.instances=7");
    run("sweep m.toml --backend cpu --db m.db --threads 2");
    run("sweep m.toml --backend cpu --db n.db");
    EXPECT_EQ(run("export m.db"), run("export n.db"));
    auto all = rows("a.db"), measured = rows("m.db");
    ASSERT_EQ(all.size(), measured.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
        for (auto const& [name, value] : all[k].items()) {
            if (name == "engine") continue;
            EXPECT_EQ(measured[k].at(name), value) << name;
        }
        EXPECT_GT(measured[k].at("request_latency_p99"), measured[k].at("request_latency_p50"));
        EXPECT_EQ(measured[k].at("request_memory_mean").is_null(),
                  measured[k].at("policy") == "WAIT, \"both\"");
    }
    auto const panels = panels_of(run("panels --json m.db"));
    EXPECT_EQ(panels.at(2).at("series").size(), 2u);
    EXPECT_EQ(panels.at(3).at("series").size(), 1u);
    auto const ranks = Json::parse(run("rank m.db --by throughput-tokens --json")).at(0);
    EXPECT_TRUE(ranks.at("largest_first"));
    EXPECT_TRUE(ranks.at("paired"));
    EXPECT_GE(ranks.at("policies").at(0).at("mean").at("value"),
              ranks.at("policies").at(1).at("mean").at("value"));
}

TEST_F(IterationProgram, RefusesMeasuresThatNobodyKeeps)
{
    std::string const experiment = small_paths("id = 'wait'\nthresholds = 'inside'\n");
    std::string const panel = "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = ";
    auto const refused = [&](std::string const& options, std::string const& why) {
        auto const answer = crx_test::run_program(options, folder.path());
        EXPECT_EQ(answer.status, 2) << options;
        EXPECT_NE(answer.text.find(why), std::string::npos) << answer.text;
    };
    write("a.toml", experiment + panel + "'latency-p99'\n");
    refused("sweep a.toml", "[measures] keeps \"latency\"");
    write("b.toml", experiment + "[measures]\n" + panel + "'memory-mean'\n");
    refused("sweep b.toml", "unless a [[policy]] has memory");
    write("c.toml", experiment + "[capacity]\nover = 'load'\n");
    refused("sweep c.toml", "not refined");
    write("d.toml", experiment + "[measures]\nslo = { latency = 3 }\n");
    refused("sweep d.toml", "a time with a unit");
    run("sweep x.toml --backend cpu --db a.db --set stop.instances=3");
    refused("rank a.db --by latency-p99", "keep = [..]");
    EXPECT_NE(run("rank a.db --by iterations").find("differences not paired"), std::string::npos);
}

// A finished store is drawn with the panels of another file.
TEST_F(IterationProgram, TakesOtherPanels)
{
    run("sweep x.toml --backend cpu --db a.db --set stop.instances=10");
    std::ofstream(folder / "p.toml")
        << "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = 'iterations'\n";
    auto const panels = panels_of(run("panels --json a.db --panels p.toml"));
    ASSERT_EQ(panels.size(), 1u);
    EXPECT_EQ(panels.at(0).at("measure"), "iterations");
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
        std::int64_t first_tokens = 0;
        for (auto const& row : typed) {
            if (row.at("type").is_null() || row.at("policy") != total.at("policy") ||
                row.at("horizon") != total.at("horizon"))
                continue;
            auto const n = row.at("arrivals_sum").get<double>();
            first_tokens += row.at("first_tokens_sum").get<std::int64_t>();
            sum += n * row.at("mean_latency").get<double>();
            arrivals += n;
        }
        EXPECT_EQ(arrivals, total.at("arrivals_sum").get<double>());
        EXPECT_EQ(first_tokens, total.at("first_tokens_sum").get<std::int64_t>());
        auto const mean = total.at("mean_latency").get<double>();
        EXPECT_NEAR(sum / arrivals, mean, 0.1 * mean);
    }
    auto const panels = panels_of(run("panels --json t.db"));
    EXPECT_EQ(panels.at(0).at("series").at(0).at("points").size(), 4u);
    for (int const type : {0, 1}) {
        write("type.toml", "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = 'mean-latency'\n"
                           "where = { type = " +
                               std::to_string(type) + " }\n");
        auto const line =
            panels_of(run("panels --json t.db --panels type.toml")).at(0).at("series").at(0);
        std::size_t compared = 0;
        for (auto const& row : typed)
            for (auto const& point : line.at("points"))
                if (row.at("type") == type && row.at("policy") == line.at("policy") &&
                    row.at("horizon") == point.at("x")) {
                    EXPECT_EQ(point.at("y"), row.at("mean_latency"));
                    ++compared;
                }
        EXPECT_EQ(compared, 4u);
    }
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
                              row.at("iterations_sum").get<std::string>());
                    ++compared;
                }
    EXPECT_EQ(compared, path[0].at("horizons").size() + path[1].at("horizons").size());
    run("replay a.db --cell 0 --instance 0 --policy fcfs-vllm --timeline t.csv");
    EXPECT_TRUE(std::filesystem::exists(folder / "t.csv"));
    run("replay a.db --cell 0 --instance 0 --write-instance i.csv", 2);
}

TEST_F(IterationProgram, HasATheory)
{
    EXPECT_NE(run("fluid x.toml").find("memory M*            9 tokens"), std::string::npos);
    EXPECT_EQ(Json::parse(run("fluid x.toml --json")).at("policies").size(), 2u);
}

// An axis may be called as a number of the theory is.
TEST_F(IterationProgram, ATheoryStandsBesideItsPlace)
{
    write("m.toml", small_paths("id = 'fcfs-vllm'\nmemory = 'memory'\n") +
                        "[[sweep]]\nname = 'memories'\naxes = { memory = [20, 40] }\n");
    auto const refused = crx_test::run_program("fluid m.toml", folder.path());
    EXPECT_EQ(refused.status, 2); // the other sweep has no such axis
    EXPECT_NE(refused.text.find("a number: no axis or variable has the name memory"),
              std::string::npos)
        << refused.text;
    write("m.toml", with_axis("id = 'fcfs-vllm'\nmemory = 'memory'\n", "memory = [20, 40]"));
    auto const cells = Json::parse(run("fluid m.toml --json"));
    ASSERT_EQ(cells.size(), 2u);
    EXPECT_EQ(cells.at(1).at("coordinates").at("memory"), 40);
    EXPECT_NEAR(cells.at(1).at("memory").get<double>(), 9, 1e-9);
}

// A column of the table comes first, and a parameter of its name says what it is.
TEST_F(IterationProgram, ColumnsKeepTheirNames)
{
    write("c.toml", with_axis("id = 'fcfs-vllm'\nmemory = 'cell'\n", "cell = [20, 40]"));
    run("sweep c.toml --backend cpu --db c.db --set stop.instances=2");
    auto const row = rows("c.db").back();
    EXPECT_EQ(row.at("cell"), 1);
    EXPECT_EQ(row.at("parameter_cell"), 40);
}

// Each cell reads its own types from the trace; all that was read is said, once each.
TEST_F(IterationProgram, ReadsATraceOnceAndCellByCell)
{
    write("lengths.csv", "prompt,output\n5,1\n5,2\n5,3\n5,4\n");
    auto const text = [](std::string const& bins) {
        return "[experiment]\nname = 'x'\nseed = 1\n[model]\nkind = 'iterations'\n"
               "[stop]\ninstances = 5\n[run]\nby_type = true\n"
               "[workload]\nhorizon = 8\n[workload.clock]\nd0 = 1e6\nd1 = 1e3\n"
               "[[workload.type]]\ntrace = { file = 'lengths.csv' }\noutput_bin = 'bin'\n"
               "rate = 1\n[[policy]]\nid = 'fcfs-vllm'\nmemory = 40\n"
               "[[sweep]]\nname = 'bins'\naxes = { bin = " +
               bins +
               " }\n[[panel]]\nsweep = 'bins'\nx = 'bin'\nmeasure = 'mean-latency'\n"
               "where = { type = 3 }\n";
    };
    write("t.toml", text("[1, 4]"));
    auto const said = crx_test::run_program("fluid t.toml", folder.path()).text;
    EXPECT_NE(said.find("4 rows as 4 types"), std::string::npos) << said;
    EXPECT_NE(said.find("4 rows as 1 types"), std::string::npos) << said;
    // Type 3 is of some cells only, whichever comes first.
    write("t.toml", text("[4, 1]"));
    run("sweep t.toml --backend cpu --db t.db");
    EXPECT_EQ(panels_of(run("panels --json t.db")).at(0).at("series").at(0).at("points").size(),
              1u);
    auto const experiment = Experiment::read(folder / "t.toml");
    std::filesystem::remove(folder / "lengths.csv");
    EXPECT_EQ(experiment.make_cell("bins", {{"bin", 1}}).paths->load.types.size(), 4u);
}

// Hardly anybody arrives: a mean over nobody is no number.
TEST_F(IterationProgram, ReplaysAPathWithoutArrivals)
{
    run("sweep x.toml --backend cpu --db a.db --set stop.instances=1 --set workload.horizon=1e-6");
    auto const text = run("replay a.db --cell 0 --instance 0");
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_NE(text.find("            -            -"), std::string::npos) << text;
}

// The panels of a store whose second sweep has not begun.
TEST_F(IterationProgram, DrawsWhatThereIsOfARunningSweep)
{
    auto text = small_paths("id = 'fcfs-vllm'\nmemory = 40\n", "0.05", "'r'");
    text.replace(text.find("name = 'paths'"), 14, "name = 'paths'\naxes = { r = [1] }");
    write("r.toml", text + "[[sweep]]\nname = 'later'\naxes = { r = [2] }\n"
                           "[[panel]]\nsweep = 'paths'\nx = 'horizon'\nmeasure = 'throughput'\n"
                           "where = { r = 1 }\n"
                           "[[panel]]\nsweep = 'later'\nx = 'horizon'\nmeasure = 'throughput'\n"
                           "where = { r = 2, horizon = 16 }\n");
    auto const experiment = Experiment::read(folder / "r.toml");
    auto const plan = plan_of(experiment);
    {
        RunStore store(folder / "r.db", header_of(experiment, folder.path(), {}), {});
        auto const cells = store.ensure_cells(grid_cells(plan));
        auto const setting = plan.make_cell("paths", experiment.grid("paths").front()).paths;
        store.add_paths(cells[0], {0, 3}, launch_paths_host(*setting, {0, 3}, {}).sums);
    }
    EXPECT_EQ(panels_of(run("panels --json r.db")).size(), 1u);
    EXPECT_EQ(rows("r.db").size(), 5u); // four horizons, and the cell that waits
}

} // namespace
} // namespace crx
