#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// What `crx sweep` says beside its results: its plan, baselines without a value, half-widths that
/// were not reached.
namespace crx {
namespace {

struct PlanCommand : testing::Test
{
    PlanCommand()
    {
        std::ofstream(folder / "x.toml")
            << "[experiment]\nname = 'x'\nseed = 1\n[stop]\ninstances = 3\n"
               "[workload]\nrequests = 200\nmemory = 1000\nprompt = 0\n"
               "[workload.output]\nlaw = 'uniform'\nlower = 1\nupper = 1000\n"
               "[workload.interval]\nrule = 'support'\n"
               "[[policy]]\nid = 'a-max'\n[[policy]]\nid = 'a-min'\n"
               "[baselines]\nuse = ['h-sf', 'peaks']\nevaluations = 1\n"
               "[[sweep]]\nname = 'memory'\naxes = { memory = [1000, 2000] }\n"
               "[[panel]]\nsweep = 'memory'\nx = 'memory'\nbaseline = 'peaks'\n";
    }
    crx_test::Ending run(std::string const& options) const
    {
        return crx_test::run_program(options, folder.path());
    }
    static void expect_part(std::string const& text, std::string const& part)
    {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
    }
    crx_test::TemporaryFolder folder;
};

TEST_F(PlanCommand, SaysWhereTheHalfWidthWasNotReached)
{
    std::string const sweep =
        "sweep x.toml --set 'baselines={use=[\"h-sf\"]}' --set panel=[] --set workload.requests=50 "
        "--set stop.half_width=";
    expect_part(run(sweep + "1e-9 --db a.db").text,
                "crx: 2 of 2 cells reached stop.instances = 3 before stop.half_width = 1e-09\n");
    // Enough instances that an early stop is allowed.
    EXPECT_EQ(run(sweep + "100 --set stop.instances=400 --db b.db").text.find("half_width"),
              std::string::npos);
}

TEST_F(PlanCommand, SaysCellsAndCostsAndWritesNothing)
{
    auto const plan = run("sweep x.toml --threads 2 --plan");
    EXPECT_EQ(plan.status, 0) << plan.text;
    expect_part(plan.text, "sweep memory: 2 cells\n3 instances a cell\n"
                           "measured in 2 of 2 cells with one thread of the CPU; ");
    for (auto const* line :
         {"  policy a-max    ", "  policy a-min    ", "  baseline h-sf   ", "  baseline peaks  ",
          "  all together    ", "time: about ",
          " with 2 threads\nrunning on the CPU: denominator peaks is searched for or "
          "solved\nmemory: about ",
          " MB\nstore: about ", " kB\nnothing is written; without --plan the sweep runs\n"})
        expect_part(plan.text, line);
    for (auto const& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_EQ(entry.path().filename(), "x.toml");
}

TEST_F(PlanCommand, WarnsOfBaselinesWithoutValueAndGivesTheReasonLater)
{
    auto const sweep = run("sweep x.toml --backend cpu");
    EXPECT_EQ(sweep.status, 0) << sweep.text;
    expect_part(sweep.text, "crx: warning: baseline peaks is not expected to have a value in 2 of "
                            "2 cells: the program is too large, ");
    expect_part(sweep.text, " entries (rounds times output tokens), where 3e+07 are the most that "
                            "is tried\n  (first sweep memory memory=1000; instance 0 of each cell "
                            "was looked at)\n");
    expect_part(run("panels x.db").text,
                "no value: 0 instances, 3 without denominator: the program is too large, ");
    auto const rank = run("rank x.db --over peaks");
    EXPECT_EQ(rank.status, 0) << rank.text;
    expect_part(rank.text, "sweep memory: 0 of 2 cells, ");
    expect_part(rank.text,
                "  2 cells without a value of some policy or the denominator, first cell "
                "0: memory=1000: the program is too large, ");
    EXPECT_EQ(run("rank x.db --over dual").text,
              "crx: command line: --over = dual\n"
              "  not accepted: must be a baseline of this store: h-sf, peaks\n");
}

// A cell is made again to ask for its reason: twenty are, and of the others that is said.
TEST_F(PlanCommand, SaysOfWhichCellsNoReasonWasLookedFor)
{
    std::string values = "100000";
    for (int k = 1; k <= 20; ++k) values += ", " + std::to_string(100'000 + k);
    auto const sweep = run("sweep x.toml --backend cpu --set stop.instances=1 --set "
                           "workload.requests=20 --set workload.output.upper=100000 --set "
                           "'sweep.0.axes.memory=[" +
                           values + "]'");
    EXPECT_EQ(sweep.status, 0) << sweep.text;
    expect_part(
        run("panels x.db").text,
        "100020  no value: 0 instances, 1 without denominator: the reason was looked for in "
        "20 cells before this one\n");
}

// A batch system must not take half a plan for a whole one.
// In the foreground, as `timeout` else signals twice, and a second signal kills.
TEST_F(PlanCommand, StoppedByASignalItSaysSo)
{
    auto const plan = crx_test::run_command(
        "cd " + folder.path().string() +
        " && timeout --foreground --preserve-status -s INT 1.5 " CRX_PROGRAM
        " sweep x.toml --plan --set workload.requests=3000 --set stop.instances=1000000"
        " --set 'baselines.use=[\"peaks\", \"best-found\"]' --set baselines.evaluations=1000000"
        " 2>&1");
    EXPECT_EQ(plan.status, 130) << plan.text;
    expect_part(plan.text, "crx: stopped by Ctrl-C (SIGINT): the plan is of what was measured");
}

TEST_F(PlanCommand, NamesEngines) { expect_part(run("sweep x.toml --plan").text, "  by a-min"); }

} // namespace
} // namespace crx
