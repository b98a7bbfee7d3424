#include "support/temporary_folder.hh"
#include "support/test_seed.hh"
#include "tests/host/run_program.hh"

#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

/// Sweeps, refinements, extensions and merges that are killed at random moments, on a file that is
/// copied and moved meanwhile: the exports at the end are the bytes of undisturbed runs.
namespace crx_test {
namespace {

namespace fs = std::filesystem;

/// How many kills there are in all.
int kills()
{
    char const* const given = std::getenv("CRX_TEST_KILLS");
    return given == nullptr ? 20 : std::atoi(given);
}

std::string experiment(std::string const& policies, int instances, int seed = 7)
{
    return fmt::format("[experiment]\nname = 'x'\nseed = {}\n[stop]\ninstances = {}\n"
                       "[workload]\nrequests = 80\nmemory = 60\nprompt = 1\n"
                       "[workload.output]\nlaw = 'two-point'\n"
                       "lower = 'max(1, round(alpha * upper))'\nupper = 20\nshort_fraction = 'w'\n"
                       "[workload.interval]\nrule = 'support'\n{}"
                       "[baselines]\nuse = ['h-sf', 'volume']\n[[sweep]]\nname = 'alpha'\n"
                       "axes = {{ alpha = [0.1, 0.3, 0.5], w = [0.2, 0.5, 0.8] }}\n"
                       "refine = {{ axis = 'w', rounds = 2, baseline = 'h-sf' }}\n",
                       seed, instances, policies);
}

constexpr char const* two = "[[policy]]\nid = 'a-max'\n[[policy]]\nid = 'mc-benchmark'\n";
constexpr char const* three = "[[policy]]\nid = 'a-max'\n[[policy]]\nid = 'mc-benchmark'\n"
                              "[[policy]]\nid = 'a-min'\n";

struct KilledSweeps : testing::Test
{
    KilledSweeps()
    {
        std::ofstream(folder / "small.toml") << experiment(two, 300);
        std::ofstream(folder / "more.toml") << experiment(two, 500);
        std::ofstream(folder / "large.toml") << experiment(three, 500);
        std::ofstream(folder / "other.toml") << experiment(two, 300, 99);
    }
    Ending run(std::string const& line) const
    {
        return run_command("cd " + folder.path().string() + " && { " + line + "; } 2>&1");
    }
    static std::string sweep(std::string const& name, std::string const& store)
    {
        return fmt::format("{} sweep {}.toml --backend cpu --threads 2 --db {}", CRX_PROGRAM, name,
                           store);
    }
    std::string exported(std::string const& store) const
    {
        auto const ending = run(std::string(CRX_PROGRAM) + " export " + store + " 2>/dev/null");
        EXPECT_EQ(ending.status, 0) << ending.text;
        return ending.text;
    }
    void expect_done(std::string const& line) const
    {
        auto const ending = run(line);
        EXPECT_EQ(ending.status, 0) << line << "\n" << ending.text;
    }
    TemporaryFolder folder;
};

TEST_F(KilledSweeps, GiveTheBytesOfUndisturbedRuns)
{
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    std::map<std::string, std::string> whole;
    for (std::string const name : {"small", "more", "large"}) {
        // As the killed ones come to it: what a refinement before chose stays.
        expect_done(sweep(name, "whole.db"));
        whole[name] = exported("whole.db");
    }
    expect_done(sweep("other", "other.db"));
    auto const other = exported("other.db");
    int killed = 0;
    std::string store = "a.db";
    while (killed < kills()) {
        for (std::string const name : {"small", "more", "large"}) {
            for (int tries = 0;; ++tries) {
                ASSERT_LT(tries, 100);
                auto const seconds =
                    0.02 * (1 + tries) * (0.5 + static_cast<double>(random() % 1000) / 500);
                // Copies are made while pages are written.
                auto const ending =
                    run(fmt::format("( sleep {:.3f}; cp {} copy.db; cp {} copy-2.db ) & timeout -s "
                                    "KILL {:.3f} {}; s=$?; wait; exit $s",
                                    seconds * 0.7, store, store, seconds, sweep(name, store)));
                if (ending.status == 0) break;
                ASSERT_TRUE(ending.status == 137) << ending.text;
                ++killed;
                if (!fs::exists(folder / store)) continue; // killed before it began
                // The store moves; another one takes its name and goes again.
                auto const next = fmt::format("{}.db", killed);
                bool const with_journal = random() % 2 == 0;
                fs::rename(folder / store, folder / next);
                if (with_journal && fs::exists(folder / (store + "-journal")))
                    fs::rename(folder / (store + "-journal"), folder / (next + "-journal"));
                fs::copy_file(folder / "other.db", folder / store);
                EXPECT_TRUE(exported(store) == other);
                expect_done(sweep("other", store));
                EXPECT_TRUE(exported(store) == other);
                fs::remove(folder / store);
                auto const check = run(std::string(CRX_PROGRAM) + " check " + next);
                if (check.status != 0) { // a commit torn from its journal
                    std::printf("%s", check.text.c_str());
                    EXPECT_FALSE(with_journal);
                }
                store = next;
            }
            EXPECT_TRUE(exported(store) == whole[name]) << name;
            for (auto const* copy : {"copy.db", "copy-2.db"}) {
                if (!fs::exists(folder / copy)) continue;
                auto const ending = run(sweep(name, copy));
                if (ending.status == 0)
                    EXPECT_TRUE(exported(copy) == whole[name]);
                else
                    EXPECT_NE(ending.text.find("move it away"), std::string::npos) << ending.text;
                fs::remove(folder / copy);
            }
        }
        fs::remove(folder / store);
    }
    std::printf("%d kills\n", killed);
}

TEST_F(KilledSweeps, MergesLeaveNothingOrAll)
{
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    for (int shard = 1; shard <= 2; ++shard)
        expect_done(sweep("small", fmt::format("s{}.db --shard {}/2", shard, shard)));
    auto const merge = std::string(CRX_PROGRAM) + " merge s1.db s2.db -o all.db";
    expect_done(merge);
    auto const whole = exported("all.db");
    fs::remove(folder / "all.db");
    for (int k = 0; k < kills() / 4; ++k) {
        auto const seconds = 0.005 + static_cast<double>(random() % 1000) / 20000;
        auto const ending = run(fmt::format("timeout -s KILL {:.3f} {}", seconds, merge));
        if (ending.status == 0) {
            EXPECT_TRUE(exported("all.db") == whole);
            fs::remove(folder / "all.db");
            continue;
        }
        if (!fs::exists(folder / "all.db")) expect_done(merge); // else it was killed at its end
        EXPECT_TRUE(exported("all.db") == whole);
        fs::remove(folder / "all.db");
    }
}

// A sweep that goes on while its store is moved and another one takes the name.
TEST_F(KilledSweeps, AStoreThatIsMovedMeanwhileIsWholeAndTheOtherUntouched)
{
    std::ofstream(folder / "long.toml") << experiment(three, 20000);
    expect_done(sweep("other", "c.db"));
    auto const other = exported("c.db");
    auto const ending = run(fmt::format("( sleep 1.2; mv a.db moved.db; mv c.db a.db ) & {}; "
                                        "s=$?; wait; exit $s",
                                        sweep("long", "a.db")));
    EXPECT_EQ(ending.status, 1) << ending.text;
    EXPECT_NE(ending.text.find("a.db: was moved or removed while it was being added to"),
              std::string::npos)
        << ending.text;
    EXPECT_TRUE(exported("a.db") == other);
    expect_done(sweep("other", "a.db"));
    EXPECT_TRUE(exported("a.db") == other);
    EXPECT_EQ(run(std::string(CRX_PROGRAM) + " check a.db moved.db").status, 0);
}

} // namespace
} // namespace crx_test
