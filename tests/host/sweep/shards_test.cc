#include "support/temporary_folder.hh"
#include "support/test_seed.hh"
#include "tests/host/run_program.hh"
#include "tests/host/sweep/shard_experiments.hh"
#include "tests/host/sweep/stored_chunks.hh"

#include <chrono>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

/// crx sweep --shard and crx merge: what they make is as what one process makes.
namespace crx_test {
namespace {

namespace fs = std::filesystem;

struct Shards : testing::Test
{
    void write(std::string const& text) const { std::ofstream(folder / "x.toml") << text; }
    Ending run(std::string const& arguments) const { return run_program(arguments, folder.path()); }
    Ending sweep(std::string const& options) const
    {
        return run("sweep x.toml --backend cpu " + options);
    }
    void expect_done(Ending const& ending) const { ASSERT_EQ(ending.status, 0) << ending.text; }
    void expect_refused(Ending const& ending, std::string const& message) const
    {
        EXPECT_EQ(ending.status, 2) << ending.text;
        EXPECT_NE(ending.text.find(message), std::string::npos) << message << "\nin\n"
                                                                << ending.text;
    }
    std::string exported(std::string const& store) const
    {
        return run("export " + store).text + run("export --json " + store).text;
    }
    /// The store of an undivided run, and what it exports.
    std::string undivided() const
    {
        EXPECT_EQ(sweep("--db whole.db").status, 0);
        return exported("whole.db");
    }
    /// Shards and merges until nothing is missing; the last merged store. Odd rounds merge
    /// forwards.
    std::string rounds(int shards, int first_way = 0, int most = 40) const
    {
        std::string merged;
        for (int round = 1; round <= most; ++round) {
            auto const name = [&](int shard) {
                return fmt::format("{}-{}-{}-{}.db", shards, first_way, round, shard);
            };
            auto const base = merged.empty() ? "" : "--base " + merged;
            for (int shard = 1; shard <= shards; ++shard)
                EXPECT_EQ(sweep(fmt::format("--shard {}/{} {} --db {} --threads {}", shard, shards,
                                            base, name(shard), 1 + shard % 2))
                              .status,
                          0);
            std::string all = merged;
            for (int k = 1; k <= shards; ++k)
                all += " " + name((round + first_way) % 2 == 0 ? k : shards + 1 - k);
            if ((round + first_way) % 2 == 0) all += " -o "; // the output may stand anywhere
            auto const next = fmt::format("{}-{}-{}.db", shards, first_way, round);
            auto const merge =
                run("merge " + all + ((round + first_way) % 2 == 0 ? "" : " -o ") + next);
            EXPECT_EQ(merge.status, 0) << merge.text;
            EXPECT_EQ(run("check " + next).status, 0);
            merged = next;
            auto const plan = sweep("--plan --base " + merged);
            EXPECT_EQ(plan.status, 0) << plan.text;
            if (plan.text == "nothing is missing in " + merged + "\n") return merged;
        }
        ADD_FAILURE() << "no end of rounds";
        return merged;
    }
    TemporaryFolder folder;
};

TEST_F(Shards, GiveTheBytesOfAnUndividedRunInAnyOrder)
{
    write(rounds_experiment("instances = 300", 0));
    auto const whole = undivided();
    for (int const way : {0, 1}) EXPECT_TRUE(exported(rounds(3, way, 1)) == whole);
    EXPECT_TRUE(exported(rounds(1)) == whole);
    EXPECT_TRUE(exported(rounds(16)) == whole);
}

TEST_F(Shards, GoInRoundsWithHalfWidthsAndRefinement)
{
    write(rounds_experiment(half_width_stop, 2));
    auto const whole = undivided();
    for (int const way : {0, 1}) {
        auto const merged = rounds(3, way);
        EXPECT_TRUE(exported(merged) == whole);
        // A sweep of the merged store finds nothing to do, and adds none.
        auto const again = sweep("--db " + merged);
        EXPECT_NE(again.text.find(", 0 of them in this run"), std::string::npos) << again.text;
    }
}

TEST_F(Shards, GoInRoundsInTheIterationModel)
{
    write(iterations_experiment("instances = 2048\nfirst = 256\nhalf_width = 0.02"));
    auto const whole = undivided();
    EXPECT_TRUE(exported(rounds(2)) == whole);
}

TEST_F(Shards, AreContinuedByTheSameCommand)
{
    write(rounds_experiment("instances = 1000", 0));
    auto const start = std::chrono::steady_clock::now();
    auto const whole = undivided();
    std::chrono::duration<double> const all = std::chrono::steady_clock::now() - start;
    auto const seed = test_seed();
    SCOPED_TRACE(testing::Message() << "rerun: CRX_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    int killed = 0;
    for (int repeat = 0; repeat < 6; ++repeat) {
        std::string stores;
        for (int shard = 1; shard <= 2; ++shard) {
            auto const store = fmt::format("k{}-{}.db", repeat, shard);
            stores += store + " ";
            auto const command = fmt::format("--backend cpu --shard {}/2 --db {}", shard, store);
            auto const kill = run_command(fmt::format(
                "cd {} && timeout -s KILL {:.3f} {} sweep x.toml {} 2>&1", folder.path().string(),
                all.count() * static_cast<double>(random() % 1000) / 2000, CRX_PROGRAM, command));
            bool const was_killed = kill.status != 0;
            killed += was_killed ? 1 : 0;
            auto const before = chunks_of(folder / store);
            expect_done(run("sweep x.toml " + command));
            // What was committed is there as it was: none of it was run again.
            auto const after = chunks_of(folder / store);
            EXPECT_TRUE(std::ranges::includes(after, before));
        }
        auto const merged = fmt::format("k{}.db", repeat);
        expect_done(run("merge " + stores + "-o " + merged));
        EXPECT_TRUE(exported(merged) == whole);
    }
    EXPECT_GE(killed, 2);
    std::printf("%d of 12 shards were killed before their end\n", killed);
}

/// A sweep of 60 instances a cell in three shards, a.db, b.db and c.db.
struct WrongShards : Shards
{
    WrongShards()
    {
        write(rounds_experiment("instances = 60", 0));
        int shard = 0;
        for (auto const* name : {"a.db", "b.db", "c.db"})
            EXPECT_EQ(shard_into(name, ++shard).status, 0);
    }
    Ending shard_into(std::string const& store, int shard, std::string const& more = "") const
    {
        return sweep(fmt::format("--shard {}/3 --db {} {}", shard, store, more));
    }
    void expect_no_merge(std::string const& stores, std::string const& message) const
    {
        expect_refused(run("merge " + stores + " -o all.db"), message);
        for (auto const& entry : fs::directory_iterator(folder.path()))
            EXPECT_FALSE(entry.path().filename().string().starts_with("all.db")) << entry.path();
    }
};

TEST_F(WrongShards, AnotherSeedOrExperimentIsNamedWithTheDifference)
{
    EXPECT_EQ(shard_into("seed.db", 2, "--set experiment.seed=8").status, 0);
    expect_no_merge("a.db seed.db c.db", "seed.db: is of another experiment than a.db; nothing was "
                                         "merged\n  experiment.seed: 7 there, 8 here\n");
    EXPECT_EQ(shard_into("memory.db", 2, "--set workload.memory=61").status, 0);
    expect_no_merge("a.db memory.db c.db", "  workload.memory: 60 there, 61 here\n");
    EXPECT_EQ(shard_into("more.db", 2, "--set stop.instances=61").status, 0);
    expect_no_merge("a.db more.db c.db",
                    "another round: of another --base, [stop] or number of shards");
}

TEST_F(WrongShards, AMissingOneIsNamed)
{
    expect_no_merge("a.db c.db", "shard 2/3 is missing, of the round of a.db; nothing was merged");
    expect_no_merge("c.db", "shard 1/3 is missing, of the round of c.db");
}

TEST_F(WrongShards, OverlapsAreNamedWithTheirPlace)
{
    fs::copy_file(folder / "b.db", folder / "again.db");
    expect_no_merge("a.db b.db c.db again.db", "again.db: alpha alpha=");
    expect_no_merge("a.db b.db c.db again.db", " are in b.db too; nothing was merged");
    EXPECT_EQ(sweep("--db whole.db").status, 0);
    expect_no_merge("whole.db a.db", "a.db: alpha alpha=");
    expect_no_merge("a.db b.db ./a.db", "./a.db: is named twice");
}

TEST_F(WrongShards, OneThatIsNotDoneIsNamedWithWhatItLacks)
{
    fs::copy_file(folder / "b.db", folder / "half.db");
    {
        SQLite::Database store((folder / "half.db").string(), SQLite::OPEN_READWRITE);
        store.exec("DELETE FROM sums WHERE chunk = 2");
    }
    expect_no_merge("a.db half.db c.db", "half.db: shard 2/3 is not done: alpha alpha=");
    expect_no_merge("a.db half.db c.db", "\n  its sweep command, given again, completes it");
    EXPECT_EQ(shard_into("half.db", 2).status, 0);
    EXPECT_EQ(run("merge a.db half.db c.db -o all.db").status, 0);
    EXPECT_TRUE(exported("all.db") == undivided());
}

TEST_F(WrongShards, ADamagedOneIsNamed)
{
    std::fstream file(folder / "b.db", std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(0, std::ios::end);
    std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
    file.seekg(0);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    auto const place = bytes.rfind(",0,0,0,");
    ASSERT_NE(place, std::string::npos);
    file.seekp(static_cast<std::streamoff>(place + 1));
    file.write("1", 1);
    file.close();
    expect_no_merge("a.db b.db c.db", "b.db: the store is damaged");
    expect_no_merge("a.db nothing.db c.db", "nothing.db: there is no such file");
    std::ofstream(folder / "text.db") << "not a store";
    expect_no_merge("a.db text.db c.db", "text.db: not a store of crx");
}

TEST_F(WrongShards, AnOutputThatIsThereIsKept)
{
    EXPECT_EQ(run("merge a.db b.db c.db -o all.db").status, 0);
    auto const before = exported("all.db");
    expect_refused(run("merge c.db b.db a.db -o all.db"), "all.db: is there already");
    EXPECT_TRUE(exported("all.db") == before);
}

TEST_F(WrongShards, TheRoundsBeforeBelongToThem)
{
    write(rounds_experiment("instances = 60", 1));
    std::string stores;
    for (int shard = 1; shard <= 3; ++shard) {
        auto const name = fmt::format("r{}.db", shard);
        EXPECT_EQ(shard_into(name, shard).status, 0);
        stores += name + " ";
    }
    EXPECT_EQ(run("merge " + stores + "-o one.db").status, 0);
    std::string next;
    for (int shard = 1; shard <= 3; ++shard) {
        auto const name = fmt::format("n{}.db", shard);
        EXPECT_EQ(shard_into(name, shard, "--base one.db").status, 0);
        next += name + " ";
    }
    expect_no_merge(next, "cells 0 to 5 are in none of the stores");
    EXPECT_EQ(run("merge " + next + "one.db -o two.db").status, 0);
    EXPECT_TRUE(exported("two.db") == undivided());
    // Nothing is missing any more: no store is made.
    auto const none = shard_into("m.db", 1, "--base two.db");
    EXPECT_EQ(none.text, "nothing is missing in two.db; no store is made\n");
    EXPECT_FALSE(fs::exists(folder / "m.db"));
}

TEST_F(WrongShards, StoresOfOtherKindsAreNotContinuedAsShards)
{
    expect_refused(sweep("--db a.db"), "a.db: holds shard 1/3 alone");
    expect_refused(shard_into("a.db", 2), "a.db: holds shard 1/3, not shard 2/3");
    EXPECT_EQ(sweep("--db whole.db").status, 0);
    expect_refused(shard_into("whole.db", 2),
                   "whole.db: holds the experiment as a whole, not shard 2/3");
    expect_refused(shard_into("n.db", 2, "--base a.db"), "a.db: holds shard 1/3 alone");
    expect_refused(shard_into("n.db", 2, "--base whole.db --set experiment.seed=8"),
                   "whole.db: holds another experiment\n  experiment.seed: 7 there, 8 here");
    expect_refused(sweep("--base whole.db"), "--base = whole.db\n  not accepted: must be left out");
}

TEST_F(WrongShards, NumbersOfShardsAreChecked)
{
    for (auto const* number :
         {"0/3", "4/3", "1", "1/", "/3", "1/0", "a/b", "1/3x", "-1/3", "1/1000001"})
        expect_refused(sweep(std::string("--db n.db --shard ") + number),
                       "command line: --shard = " + std::string(number) +
                           "\n  not accepted: must be I/N with 1 <= I <= N");
}

} // namespace
} // namespace crx_test
