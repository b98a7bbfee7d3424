#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>

/// The same command with a larger or edited experiment: the store is then as one of that alone.
namespace crx_test {
namespace {

struct Parts
{
    std::string policies, baselines, axes, stop = "instances = 300";
};

std::string rounds(Parts const& p)
{
    return fmt::format("[experiment]\nname = 'x'\nseed = 7\n[stop]\n{}\n"
                       "[workload]\nrequests = 120\nmemory = 60\nprompt = 1\n"
                       "[workload.output]\nlaw = 'two-point'\n"
                       "lower = 'max(1, round(alpha * upper))'\nupper = 20\nshort_fraction = 'w'\n"
                       "[workload.interval]\nrule = 'support'\n{}"
                       "[baselines]\nuse = [{}]\n[[sweep]]\nname = 'alpha'\naxes = {{ {} }}\n"
                       "refine = {{ axis = 'w', rounds = 2, baseline = 'h-sf' }}\n",
                       p.stop, p.policies, p.baselines, p.axes);
}

std::string iterations(Parts const& p)
{
    return fmt::format("[experiment]\nname = 'x'\nseed = 1\n[model]\nkind = 'iterations'\n"
                       "[stop]\n{}\n[workload]\nhorizon = 8\ndoublings = 3\n"
                       "[workload.clock]\nd0 = 550e6\nd1 = 0.05e9\n"
                       "[[workload.type]]\nprompt = 1\noutput = 1\nrate = 'load'\n"
                       "[[workload.type]]\nprompt = 1\noutput = 2\nrate = 1\n"
                       "{}[[sweep]]\nname = 'paths'\naxes = {{ {} }}\n",
                       p.stop, p.policies, p.axes);
}

constexpr char const* a_max = "[[policy]]\nid = 'a-max'\n";
constexpr char const* benchmark = "[[policy]]\nid = 'mc-benchmark'\n";
constexpr char const* a_min = "[[policy]]\nid = 'a-min'\n";
constexpr char const* wait = "[[policy]]\nid = 'wait'\nthresholds = 'inside'\n";
constexpr char const* fcfs = "[[policy]]\nid = 'fcfs-vllm'\nmemory = 40\n";
constexpr char const* sarathi = "[[policy]]\nid = 'fcfs-sarathi'\nmemory = 30\n";

struct Extend : testing::Test
{
    Ending sweep(std::string const& text, std::string const& store, std::string const& more = "",
                 std::string const& before = "") const
    {
        std::ofstream(folder / "x.toml") << text;
        return run_command("cd " + folder.path().string() + " && " + before +
                           " " CRX_PROGRAM " sweep x.toml --backend cpu --db " + store + " " +
                           more + " 2>&1");
    }
    void expect_done(Ending const& ending) const { EXPECT_EQ(ending.status, 0) << ending.text; }
    /// What all tables of the store say, in both formats.
    std::string exported(std::string const& store) const
    {
        return run_program("export " + store, folder.path()).text +
               run_program("export --json " + store, folder.path()).text;
    }
    /// The store of the larger experiment is the same whether it was made at once, extended, or
    /// extended and killed again and again.
    void expect_same(std::string const& small, std::string const& large) const
    {
        expect_done(sweep(large, "large.db"));
        auto const whole = exported("large.db");
        expect_done(sweep(small, "a.db", "--threads 1"));
        EXPECT_FALSE(exported("a.db") == whole);
        auto const extended = sweep(large, "a.db");
        expect_done(extended);
        EXPECT_NE(extended.text.find("crx: a.db: was last used by another x as of "),
                  std::string::npos);
        EXPECT_TRUE(exported("a.db") == whole);
        auto const again = sweep(large, "a.db");
        EXPECT_NE(again.text.find(", 0 of them in this run"), std::string::npos) << again.text;
        EXPECT_TRUE(exported("a.db") == whole);

        expect_done(sweep(small, "b.db"));
        int kills = 0;
        for (double seconds = 0.03;; seconds *= 1.35) {
            // Unfinished stores are read in between.
            auto const ending = sweep(large, "b.db", fmt::format("--threads {}", 1 + kills % 3),
                                      fmt::format("timeout -s KILL {:.3f}", seconds));
            if (ending.status == 0) break;
            ASSERT_LT(++kills, 60) << ending.text;
            auto const read = run_program("export b.db", folder.path());
            EXPECT_EQ(read.status, 0) << read.text;
        }
        EXPECT_GT(kills, 0);
        EXPECT_TRUE(exported("b.db") == whole);
    }
    TemporaryFolder folder;
};

TEST_F(Extend, ByPoliciesAndAxisValuesWithRefinement)
{
    expect_same(
        rounds({std::string(a_max) + benchmark, "'h-sf'", "alpha = [0.1, 0.5], w = [0.2, 0.8]"}),
        rounds({std::string(a_min) + benchmark + a_max, "'h-sf'",
                "alpha = [0.1, 0.3, 0.5], w = [0.2, 0.6, 0.8]"}));
}

TEST_F(Extend, ByBaselinesAndAPolicyAtOnce)
{
    expect_same(
        rounds({std::string(a_max) + benchmark, "'h-sf'", "alpha = [0.1, 0.5], w = [0.2, 0.8]"}),
        rounds({std::string(a_max) + benchmark + a_min, "'volume', 'h-sf'",
                "alpha = [0.1, 0.5], w = [0.2, 0.8]"}));
}

TEST_F(Extend, ByABaselineThatIsSearchedFor)
{
    auto const text = [](std::string const& baselines) {
        return "[experiment]\nname = 'x'\nseed = 7\n[stop]\ninstances = 40\n"
               "[workload]\nrequests = 8\nmemory = 12\nprompt = 1\n"
               "[workload.output]\nlaw = 'uniform'\nlower = 1\nupper = 6\n"
               "[workload.interval]\nrule = 'support'\n[[policy]]\nid = 'a-max'\n"
               "[[policy]]\nid = 'a-min'\n[baselines]\nuse = [" +
               baselines + "]\nevaluations = 100\n[[sweep]]\nname = 's'\n";
    };
    expect_same(text("'h-sf', 'best-found'"), text("'h-sf', 'peaks', 'best-found', 'opt'"));
}

TEST_F(Extend, UntilTheHalfWidthIsReached)
{
    std::string const stop = "instances = 512\nfirst = 16\nhalf_width = 0.02";
    expect_same(rounds({std::string(a_max) + benchmark, "'h-sf'",
                        "alpha = [0.1, 0.5], w = [0.2, 0.8]", stop}),
                rounds({std::string(a_max) + benchmark + a_min, "'h-sf', 'volume'",
                        "alpha = [0.1, 0.5], w = [0.2, 0.5, 0.8]", stop}));
}

TEST_F(Extend, InTheIterationModel)
{
    for (auto const* stop :
         {"instances = 200", "instances = 4096\nfirst = 16\nhalf_width = 0.01"}) {
        SCOPED_TRACE(stop);
        expect_same(
            iterations({std::string(wait) + fcfs, "", "load = [0.5, 1]", stop}),
            iterations({std::string(sarathi) + fcfs + wait, "", "load = [0.25, 0.5, 1]", stop}));
        for (auto const* store : {"a.db", "b.db", "large.db"})
            std::filesystem::remove(folder / store);
    }
}

// Twice in a row, and the second time back to front.
TEST_F(Extend, AgainAndAgain)
{
    auto const axes = "alpha = [0.1, 0.5], w = [0.2, 0.8]";
    expect_done(sweep(rounds({benchmark, "'h-sf'", axes}), "a.db"));
    expect_done(sweep(rounds({std::string(a_max) + benchmark, "'volume', 'h-sf'", axes}), "a.db"));
    auto const last = rounds({std::string(a_min) + benchmark + a_max, "'volume', 'h-sf', 'mc-sf'",
                              "alpha = [0.1, 0.5, 1], w = [0.2, 0.5, 0.8]"});
    expect_done(sweep(last, "a.db"));
    expect_done(sweep(last, "large.db"));
    EXPECT_TRUE(exported("a.db") == exported("large.db"));
}

// Panels are no part of what the results depend on; a new file's are taken as they are.
TEST_F(Extend, TakesPanelsAndRunsNothingAgain)
{
    auto const axes = "alpha = [0.1, 0.5], w = [0.2, 0.8]";
    auto const small = rounds({std::string(a_max) + benchmark, "'h-sf'", axes});
    expect_done(sweep(small, "a.db"));
    auto const again =
        sweep(small + "[[panel]]\nsweep = 'alpha'\nx = 'alpha'\nworst_over = 'w'\n", "a.db");
    expect_done(again);
    EXPECT_NE(again.text.find(", 0 of them in this run"), std::string::npos) << again.text;
    EXPECT_EQ(run_program("panels a.db", folder.path()).status, 0);
    // Beforehand it is said how much is missing.
    auto const wider = rounds({std::string(a_max) + benchmark + a_min, "'h-sf'",
                               "alpha = [0.1, 0.3, 0.5], w = [0.2, 0.8]"});
    auto const planned = sweep(wider, "a.db", "--plan");
    expect_done(planned);
    EXPECT_NE(planned.text.find("missing in a.db: 1800 instances in 6 cells"), std::string::npos)
        << planned.text;
}

/// Whatever an edit changes, the store shows what the experiment asks for now and no other number,
/// and what was there comes back with the experiment that asked for it.
TEST_F(Extend, AnEditMixesNothingAndLosesNothing)
{
    auto const axes = "alpha = [0.1, 0.5], w = [0.2, 0.8]";
    auto const first = rounds({std::string(a_max) + benchmark, "'h-sf'", axes});
    expect_done(sweep(first, "a.db"));
    auto const before = exported("a.db");
    for (std::string const set :
         {"experiment.seed=8", "workload.memory=70", "workload.requests=119",
          "workload.output.upper=21", "run.engine=request", "sweep.0.refine.rounds=1"}) {
        SCOPED_TRACE(set);
        expect_done(sweep(first, "a.db", "--set " + set));
        expect_done(sweep(first, "alone.db", "--set " + set));
        EXPECT_TRUE(exported("a.db") == exported("alone.db"));
        std::filesystem::remove(folder / "alone.db");
        auto const back = sweep(first, "a.db");
        EXPECT_NE(back.text.find(", 0 of them in this run"), std::string::npos) << back.text;
        EXPECT_TRUE(exported("a.db") == before);
    }
    // With a-max alone lengths are drawn as counts.
    expect_done(sweep(rounds({a_max, "'h-sf'", axes}), "a.db"));
    expect_done(sweep(rounds({a_max, "'h-sf'", axes}), "alone.db"));
    EXPECT_TRUE(exported("a.db") == exported("alone.db"));
    expect_done(sweep(first, "a.db"));
    auto const pruned = run_program("check --prune a.db", folder.path());
    EXPECT_EQ(pruned.status, 0) << pruned.text;
    EXPECT_EQ(pruned.text.find("crx: a.db: removed "), 0u) << pruned.text;
    EXPECT_TRUE(exported("a.db") == before);
    EXPECT_NE(run_program("check --prune a.db", folder.path()).text.find("removed 0 chunks"),
              std::string::npos);
}

} // namespace
} // namespace crx_test
