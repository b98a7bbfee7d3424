#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>

/// crx sweep --extend: a store that was extended is as one of the larger experiment.
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
        auto const refused = sweep(large, "a.db");
        EXPECT_EQ(refused.status, 2);
        EXPECT_NE(refused.text.find("; --extend adds what is new to this store"), std::string::npos)
            << refused.text;
        auto const extended = sweep(large, "a.db", "--extend");
        expect_done(extended);
        EXPECT_NE(extended.text.find("crx: a.db is extended by "), std::string::npos);
        EXPECT_TRUE(exported("a.db") == whole);
        expect_done(sweep(large, "a.db")); // it is the larger one's now
        EXPECT_TRUE(exported("a.db") == whole);

        expect_done(sweep(small, "b.db"));
        int kills = 0;
        for (double seconds = 0.03;; seconds *= 1.35) {
            // Unfinished stores are read in between.
            auto const ending =
                sweep(large, "b.db", fmt::format("--extend --threads {}", 1 + kills % 3),
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
    std::string const stop = "instances = 4096\nfirst = 16\nhalf_width = 0.004";
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
    expect_done(sweep(rounds({std::string(a_max) + benchmark, "'volume', 'h-sf'", axes}), "a.db",
                      "--extend"));
    auto const last = rounds({std::string(a_min) + benchmark + a_max, "'volume', 'h-sf', 'mc-sf'",
                              "alpha = [0.1, 0.5, 1], w = [0.2, 0.5, 0.8]"});
    expect_done(sweep(last, "a.db", "--extend"));
    expect_done(sweep(last, "large.db"));
    EXPECT_TRUE(exported("a.db") == exported("large.db"));
}

// Panels are no part of what the results depend on; a new file's are taken as they are.
TEST_F(Extend, TakesPanelsAndRunsNothingAgain)
{
    auto const axes = "alpha = [0.1, 0.5], w = [0.2, 0.8]";
    auto const small = rounds({std::string(a_max) + benchmark, "'h-sf'", axes});
    expect_done(sweep(small, "a.db"));
    auto const again = sweep(small + "[[panel]]\nsweep = 'alpha'\nx = 'alpha'\nworst_over = 'w'\n",
                             "a.db", "--extend");
    expect_done(again);
    EXPECT_NE(again.text.find(", 0 of them in this run"), std::string::npos) << again.text;
    EXPECT_EQ(run_program("panels a.db", folder.path()).status, 0);
    // A new policy alone: two thirds of the sums are there.
    auto const more =
        sweep(rounds({std::string(a_max) + benchmark + a_min, "'h-sf'", axes}), "a.db", "--extend");
    EXPECT_NE(more.text.find("crx: a.db is extended by policies a-min\n"), std::string::npos)
        << more.text;
    // New values of axes are named beside new policies, beforehand too.
    auto const planned = sweep(rounds({std::string(a_max) + benchmark + a_min, "'h-sf'",
                                       "alpha = [0.1, 0.3, 0.5], w = [0.2, 0.8]"}),
                               "a.db", "--extend --plan");
    expect_done(planned);
    EXPECT_NE(planned.text.find("new in a.db: alpha = 0.3; "), std::string::npos) << planned.text;
    auto const wider = sweep(rounds({std::string(a_max) + benchmark + a_min, "'h-sf', 'volume'",
                                     "alpha = [0.1, 0.3, 0.5, 0.7], w = [0.2, 0.8]"}),
                             "a.db", "--extend");
    EXPECT_NE(wider.text.find("crx: a.db is extended by baselines volume; alpha = 0.3, 0.7\n"),
              std::string::npos)
        << wider.text;
}

TEST_F(Extend, RefusesAnyOtherDifferenceByName)
{
    auto const axes = "alpha = [0.1, 0.5], w = [0.2, 0.8]";
    expect_done(sweep(rounds({std::string(a_max) + benchmark, "'h-sf'", axes}), "a.db"));
    auto const before = exported("a.db");
    auto const expect_refused = [&](std::string const& text, std::string const& set,
                                    std::string const& line) {
        auto const ending = sweep(text, "a.db", "--extend " + set);
        EXPECT_EQ(ending.status, 2) << ending.text;
        EXPECT_NE(ending.text.find(line), std::string::npos) << line << "\nin\n" << ending.text;
        auto const planned = sweep(text, "a.db", "--extend --plan " + set);
        EXPECT_EQ(planned.status, 2) << planned.text;
        EXPECT_NE(planned.text.find(line), std::string::npos) << planned.text;
        EXPECT_TRUE(exported("a.db") == before);
    };
    auto const larger = rounds({std::string(a_max) + benchmark + a_min, "'h-sf'", axes});
    expect_refused(larger, "--set workload.memory=70", "\n  workload.memory: 60 there, 70 here\n");
    expect_refused(larger, "--set experiment.seed=8", "\n  experiment.seed: 7 there, 8 here\n");
    expect_refused(rounds({std::string(a_max) + a_min, "'h-sf'", axes}), "",
                   "\n  policy.mc-benchmark: {\"id\":\"mc-benchmark\"} there, absent here\n");
    expect_refused(rounds({std::string(a_max) + benchmark, "'mc-sf'", axes}),
                   "--set sweep.0.refine.baseline=mc-sf",
                   "\n  baselines.use.h-sf: true there, absent here\n");
    expect_refused(
        rounds({std::string(a_max) + benchmark, "'h-sf'", "alpha = [0.1, 0.4], w = [0.2, 0.8]"}),
        "", "\n  sweep.alpha.axes.alpha.0.5: true there, absent here\n");
    expect_refused(larger, "--set sweep.0.refine.rounds=3",
                   "\n  sweep.alpha.refine.rounds: 2 there, 3 here\n");
}

// With a-max alone lengths are drawn as counts; a policy that serves by arrival asks for each.
TEST_F(Extend, RefusesAPolicyThatChangesWhatTheOthersMet)
{
    auto const axes = "alpha = [0.1, 0.5], w = [0.2, 0.8]";
    expect_done(sweep(rounds({a_max, "'h-sf'", axes}), "a.db"));
    auto const ending =
        sweep(rounds({std::string(a_max) + benchmark, "'h-sf'", axes}), "a.db", "--extend");
    EXPECT_EQ(ending.status, 2) << ending.text;
    EXPECT_NE(ending.text.find("what is new would change what there is of sweep alpha at "),
              std::string::npos)
        << ending.text;
    EXPECT_NE(ending.text.find("\n  workload.output.drawn: \"counts\" there, absent here\n"),
              std::string::npos)
        << ending.text;
}

TEST_F(Extend, MakesAStoreWhereThereIsNone)
{
    expect_done(sweep(rounds({a_max, "'h-sf'", "alpha = [0.5], w = [0.2]"}), "new.db", "--extend"));
}

} // namespace
} // namespace crx_test
