#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>
#include <nlohmann/json.hpp>

namespace crx_test {
namespace {

std::string const experiment = R"toml([experiment]
name = "small"
title = "Small"
seed = 7
[stop]
instances = 4
[workload]
requests = 30
memory = 41
prompt = 1
[workload.output]
law = "two-point"
lower = 4
upper = 20
short_fraction = "w"
[workload.interval]
rule = "support"
[[policy]]
id = "a-max"
[[policy]]
id = "a-min"
[baselines]
use = ["h-sf"]
[[sweep]]
name = "w"
[sweep.axes]
w = [0.5]
)toml";

class ReplayCommand : public testing::Test
{
  protected:
    void SetUp() override
    {
        std::ofstream(folder / "small.toml") << experiment;
        auto const ending =
            run_program("sweep small.toml --backend cpu --db small.db", folder.path());
        ASSERT_EQ(ending.status, 0) << ending.text;
    }

    Ending replay(std::string const& more)
    {
        return run_program("replay small.db --cell 0 --instance 3 " + more, folder.path());
    }

    TemporaryFolder folder;
};

TEST_F(ReplayCommand, GivesEveryAttemptAndTheTimelineAsJson)
{
    auto const ending = replay("--policy a-max --json --with-timeline");
    ASSERT_EQ(ending.status, 0) << ending.text;
    auto const run = nlohmann::json::parse(ending.text).at(0);
    EXPECT_EQ(run.at("id"), "a-max");
    EXPECT_EQ(run.at("text"), "$A_{\\mathrm{max}}$");
    EXPECT_EQ(run.at("instance"), 3);
    EXPECT_EQ(run.at("timeline").at("held").size(), run.at("timeline").at("time").size());
    auto const& request = run.at("requests").at(0);
    ASSERT_EQ(request.at("attempts").size(), 1u); // a-max cancels nothing
    EXPECT_EQ(request.at("attempts")[0],
              nlohmann::json::array({request.at("start"), request.at("completion"), "completed"}));
    EXPECT_EQ(request.at("first_token"), request.at("start").get<int>() + 1);
    EXPECT_EQ(request.at("completion").get<int>() - request.at("start").get<int>(),
              request.at("output"));
}

// a-min is run by cohorts here, a-max (M < 2 (s + u)) request by request.
// One file says all: the same run by simulate, and by the plain rules, under either clock.
TEST_F(ReplayCommand, WritesAWitnessThatRunsWithoutFurtherOptions)
{
    auto affine = experiment;
    affine.replace(affine.find("[workload.output]"), 0,
                   "[workload.clock]\nd0 = 1000\nd1 = 2.5\nd2 = 7\n");
    affine.replace(affine.find("\"h-sf\""), 6, "\"mc-sf\"");
    for (auto const& text : {experiment, affine}) {
        std::ofstream(folder / "one.toml") << text << "[run]\nengine = \"request\"\n";
        std::filesystem::remove(folder / "one.db");
        ASSERT_EQ(run_program("sweep one.toml --backend cpu --db one.db", folder.path()).status, 0);
        auto const replayed = run_program(
            "replay one.db --cell 0 --instance 3 --policy a-min --requests --write-instance w.json",
            folder.path(), false);
        ASSERT_EQ(replayed.status, 0) << replayed.text;
        auto const simulated = run_program("simulate --instance w.json", folder.path(), false);
        ASSERT_EQ(simulated.status, 0) << simulated.text;
        // Without the line that says which instance it is.
        EXPECT_EQ(replayed.text.substr(replayed.text.find('\n') + 1), simulated.text);
        EXPECT_EQ(run_program("witness w.json", folder.path()).status, 0);
        // What the command line says counts first.
        auto const other = run_program("simulate --instance w.json --policy a-max", folder.path());
        EXPECT_EQ(other.text.rfind("a-max:", 0), 0u) << other.text;
    }
    EXPECT_EQ(run_program("simulate --instance one.toml --policy mc-sf", folder.path()).status, 2);
    EXPECT_EQ(
        run_program("replay one.db --cell 0 --instance 3 --write-instance w.json", folder.path())
            .status,
        2);
}

TEST_F(ReplayCommand, SaysThatCohortsHaveNoRequests)
{
    auto const cohorts = replay("--policy a-min --requests");
    EXPECT_EQ(cohorts.status, 2);
    EXPECT_NE(cohorts.text.find("--requests\n  not accepted: must be left out for policy "
                                "a-min: it was run by cohorts"),
              std::string::npos)
        << cohorts.text;
    EXPECT_EQ(replay("--policy a-max --requests").status, 0);
    auto const json = replay("--policy a-min --json");
    EXPECT_NE(json.text.find(R"("engine": "cohort")"), std::string::npos) << json.text;
}

} // namespace
} // namespace crx_test
