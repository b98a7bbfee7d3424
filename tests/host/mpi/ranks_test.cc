#include "support/test_seed.hh"
#include "tests/host/mpi/rank_runs.hh"
#include "tests/host/shards/shard_experiments.hh"
#include "tests/host/shards/stored_chunks.hh"

#include <chrono>
#include <random>

/// crx sweep under mpirun: many ranks make what one process makes.
namespace crx_test {
namespace {

struct Ranks : RankRuns
{
    void SetUp() override
    {
        auto const module = program.parent_path() / "crx_mpi.so";
        if (!std::filesystem::exists(module)) GTEST_SKIP() << "crx was built without MPI";
        auto const ending = run_command(mpirun + " -n 1 true 2>&1");
        if (ending.status != 0) GTEST_SKIP() << "mpirun cannot be used: " << ending.text;
    }
};

TEST_F(Ranks, GiveTheBytesOfOneProcess)
{
    write(rounds_experiment(half_width_stop, 2));
    auto const whole = undivided();
    for (int const ranks : {2, 4}) {
        expect_bytes(ranks, whole);
        EXPECT_NE(run("sweep x.toml --db ranks" + std::to_string(ranks) + ".db")
                      .text.find(", 0 of them in this run"),
                  std::string::npos);
    }
}

TEST_F(Ranks, RunTheIterationModelAndShardsToo)
{
    write(iterations_experiment("instances = 600"));
    auto const whole = undivided();
    EXPECT_EQ(sweep(2, "--db ranks.db").status, 0);
    EXPECT_TRUE(exported("ranks.db") == whole);
    for (std::string const shard : {"1", "2"})
        EXPECT_EQ(sweep(2, "--shard " + shard + "/2 --db s" + shard + ".db").status, 0);
    EXPECT_EQ(run("merge s2.db s1.db -o all.db").status, 0);
    EXPECT_TRUE(exported("all.db") == whole);
}

TEST_F(Ranks, ExtendAStore)
{
    auto const large = rounds_experiment("instances = 300", 1);
    auto small = large;
    for (std::string const part : {", 'volume'", ", 0.5, "}) // a baseline and a value of an axis
        small.replace(small.find(part), part.size(), part.ends_with(' ') ? ", " : "");
    write(small);
    EXPECT_EQ(sweep(2, "--db a.db").status, 0);
    write(large);
    auto const whole = undivided();
    auto const ending = sweep(2, "--db a.db --extend");
    EXPECT_EQ(ending.status, 0) << ending.text;
    EXPECT_TRUE(exported("a.db") == whole);
}

// A rank that dies ends all of them; the same command goes on, and nothing that was committed is
// run again: chunks stay as they were, and none overlap.
TEST_F(Ranks, OneThatIsKilledEndsTheRunAndLosesNothing)
{
    write(rounds_experiment("instances = 1000", 1));
    auto const whole = undivided();
    auto const start = std::chrono::steady_clock::now();
    EXPECT_EQ(sweep(2, "--threads 1 --db first.db").status, 0);
    std::chrono::duration<double> const all = std::chrono::steady_clock::now() - start;
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    int killed = 0, went_on = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
        auto const store = "k" + std::to_string(repeat) + ".db";
        int const ranks = 2 + repeat % 2;
        auto const wait = all.count() * (0.15 + 0.6 * static_cast<double>(random() % 1000) / 1000);
        int const rank = static_cast<int>(random() % static_cast<unsigned>(ranks));
        killed += signal_after(wait, ranks, "--threads 1 --db " + store, rank, SIGKILL) ? 1 : 0;
        auto const before = chunks_of(folder / store);
        went_on += before.empty() ? 0 : 1;
        auto const ending = sweep(ranks, "--threads 1 --db " + store);
        EXPECT_EQ(ending.status, 0) << ending.text;
        EXPECT_TRUE(std::ranges::includes(chunks_of(folder / store), before));
        EXPECT_TRUE(exported(store) == whole);
    }
    EXPECT_GE(killed, 5);
    EXPECT_GE(went_on, 2);
    std::printf("%d of 20 runs were killed before their end, %d stores had chunks then\n", killed,
                went_on);
}

// A rank that hangs, here because it is stopped, is named and ends all of them.
TEST_F(Ranks, OneThatIsSilentEndsTheRunAndLosesNothing)
{
    write(rounds_experiment("instances = 1000", 1));
    auto const whole = undivided();
    ASSERT_TRUE(signal_amid_work("s.db", "--rank-timeout 10", SIGSTOP));
    auto const text = printed();
    EXPECT_NE(text.find("rank 1"), std::string::npos) << text;
    EXPECT_NE(text.find(" has been silent for 10 seconds, so all ranks end; what is done is kept"),
              std::string::npos)
        << text;
    auto const before = chunks_of(folder / "s.db");
    EXPECT_EQ(sweep(2, "--threads 1 --db s.db").status, 0);
    EXPECT_TRUE(std::ranges::includes(chunks_of(folder / "s.db"), before));
    EXPECT_TRUE(exported("s.db") == whole);
}

TEST_F(Ranks, StopOnASignalWithAllThatIsDone)
{
    write(rounds_experiment("instances = 300000", 0));
    EXPECT_TRUE(signal_after(2, 2, "--db a.db", 1, SIGTERM));
    auto const text = printed();
    EXPECT_EQ(WEXITSTATUS(status), 143) << text;
    EXPECT_NE(text.find("stopped by SIGTERM"), std::string::npos) << text;
    EXPECT_NE(text.find("to go on, give the same command again"), std::string::npos) << text;
    EXPECT_EQ(run("check a.db").status, 0);
    EXPECT_FALSE(chunks_of(folder / "a.db").empty());
}

TEST_F(Ranks, SayOnceWhatIsWrongWithTheInput)
{
    write(rounds_experiment("instances = 300", 0) + "[wrong]\n");
    auto const ending = sweep(3, "--db a.db");
    EXPECT_EQ(ending.status, 2) << ending.text;
    auto const at = ending.text.find("wrong");
    ASSERT_NE(at, std::string::npos) << ending.text;
    EXPECT_EQ(ending.text.find("x.toml:", ending.text.find("x.toml:") + 1), std::string::npos)
        << ending.text;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.db"));
}

TEST_F(Ranks, WithOtherArgumentsAreRefused)
{
    write(rounds_experiment("instances = 300", 0));
    auto const ending = sweep(1, "--db a.db : -n 1 " CRX_PROGRAM " sweep x.toml --db b.db");
    EXPECT_EQ(ending.status, 2) << ending.text;
    EXPECT_NE(ending.text.find(": was started with other arguments, "), std::string::npos)
        << ending.text;
}

} // namespace
} // namespace crx_test
