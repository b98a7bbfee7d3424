#include "host/sweep/scratch_experiment.hh"
#include "tests/host/experiment/small_paths.hh"
#include "tests/host/run_program.hh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// `crx info --engines`, and the engine that a store keeps of each policy.
namespace crx_test {
namespace {

nlohmann::json json_of(Ending const& ending)
{
    EXPECT_EQ(ending.status, 0) << ending.text;
    return nlohmann::json::parse(ending.text);
}

TEST(InfoEngines, TheTableNamesEveryProcessorAndLaw)
{
    std::set<std::string> processors, laws;
    for (auto const& row : json_of(run_program("info --engines --json"))) {
        processors.insert(row["processor"]);
        laws.insert(row["law"]);
        EXPECT_FALSE(row["summary"].get<std::string>().empty());
    }
    EXPECT_EQ(processors, (std::set<std::string>{"CPU", "GPU"}));
    EXPECT_EQ(laws, (std::set<std::string>{"cohort", "request"}));
    auto const text = run_program("info --engines").text;
    EXPECT_NE(text.find("\nCPU   requests "), std::string::npos) << text;
    EXPECT_NE(text.find("\nGPU   list-schedule-warp "), std::string::npos) << text;
}

// Two memories: cells with equal answers are one group.
TEST(InfoEngines, SaysWhoRunsAnExperimentAndWhyOthersDoNot)
{
    ScratchExperiment const file;
    auto const answers = json_of(run_program("info --engines --json " + file.path()));
    ASSERT_EQ(answers.size(), 3u) << answers.dump(1); // two policies and the denominator
    EXPECT_EQ(answers[0]["policy"], "a-max");
    EXPECT_EQ(answers[0]["law"], "cohort");
    EXPECT_EQ(answers[0]["cells"].size(), 2u);
    EXPECT_EQ(answers[0]["cpu"]["engines"].back(), "cohorts");
    EXPECT_EQ(answers[0]["cpu"]["others"]["a-min-batch"], "it runs a-min and a-min-evict alone");
    EXPECT_EQ(answers[1]["policy"], "mc-benchmark");
    EXPECT_EQ(answers[1]["law"], "request");
    EXPECT_EQ(answers[1]["law_reason"], "the policy serves by arrival, request by request");
    EXPECT_EQ(answers[1]["cpu"]["engines"][0], "list-schedule");
    EXPECT_EQ(answers[1]["gpu"]["engines"], (nlohmann::json{"list-schedule-warp", "requests"}));
    EXPECT_EQ(answers[2]["policy"], "mc-sf as a denominator");

    auto const text =
        run_program("info --engines " + file.path() + " --set run.engine=request").text;
    EXPECT_NE(text.find("a-max, all cells: request by request; the experiment asks for it request "
                        "by request\n  CPU:  requests\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("          not list-schedule: the policy plans with a length that may not "
                        "be the true one\n"),
              std::string::npos)
        << text;
}

TEST(InfoEngines, SaysWhoRunsThePathsOfTheIterationModel)
{
    TemporaryFolder const folder;
    auto const file = (folder / "x.toml").string();
    std::ofstream(file) << crx::small_paths(
        "id = 'wait'\nthresholds = 'inside'\n[[policy]]\nid = 'fcfs-vllm'\nmemory = 40\n"
        "[[policy]]\nid = 'nested-wait'\nends = [1, 2]\nthresholds = 'least'\n");
    auto const answers = json_of(run_program("info --engines --json " + file));
    ASSERT_EQ(answers.size(), 3u);
    EXPECT_EQ(answers[0]["policy"], "wait");
    EXPECT_EQ(answers[0]["cpu"]["engines"], nlohmann::json{"count-paths"});
    EXPECT_EQ(answers[0]["gpu"]["engines"], nlohmann::json{"count-paths"});
    EXPECT_EQ(answers[1]["cpu"]["engines"], nlohmann::json{"fcfs-paths"});
    auto const text = run_program("info --engines " + file + " --set run.by_type=true").text;
    EXPECT_NE(text.find("x: 1 cell of the iteration model\n--backend auto: running on "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("nested-wait, all cells: path by path; each segment keeps the order of its "
                        "prompts\n  CPU:  prompt-paths, "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("  GPU:  none: run.by_type keeps sums of each type\n"), std::string::npos)
        << text;
}

TEST(InfoEngines, AnExperimentIsForEnginesOnly)
{
    EXPECT_EQ(run_program("info x.toml").status, 2);
    EXPECT_EQ(run_program("info --engines no_such.toml").status, 2);
}

// However the sweep was cut and resumed, the export names the engines of the cell.
TEST(InfoEngines, AStoreKeepsWhatRanEachPolicy)
{
    ScratchExperiment const file;
    auto const sweep = [&](std::string const& store, std::string const& more) {
        auto const ending = run_program("sweep " + file.path() + " --db " + file.folder(store) +
                                        " --backend cpu " + more);
        EXPECT_EQ(ending.status, 0) << ending.text;
        return run_program("export --json " + file.folder(store)).text;
    };
    auto const whole = sweep("a.db", "");
    sweep("b.db", "--set stop.instances=3 --threads 1");
    EXPECT_EQ(sweep("b.db", "--threads 2"), whole);
    auto const answers = json_of(run_program("info --engines --json " + file.path()));
    auto const rows = nlohmann::json::parse(whole);
    ASSERT_GE(rows.size(), 2u);
    for (auto const& row : rows) {
        auto const policy = row["policy"] == "a-max" ? 0 : 1;
        EXPECT_EQ(row["engine"], answers[policy]["cpu"]["engines"][0]) << row.dump(1);
    }
    EXPECT_EQ(run_program("export " + file.folder("a.db")).text.find("engine"), std::string::npos);
}

} // namespace
} // namespace crx_test
