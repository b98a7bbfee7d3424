#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"
#include "tests/host/sweep/shard_experiments.hh"

#include <atomic>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <thread>

/// A store on a file system over a network: no log, no memory shared by processes.
namespace crx_test {
namespace {

namespace fs = std::filesystem;

struct NetworkDisk : testing::Test
{
    NetworkDisk()
    {
        std::ofstream(folder / "x.toml") << rounds_experiment("instances = 1000", 1);
        EXPECT_EQ(run("sweep x.toml --backend cpu --db whole.db", "").status, 0);
        whole = run("export whole.db", "").text;
    }
    /// Runs the program with what is before it in the line, and notes the names of all files that
    /// come and go meanwhile.
    Ending run(std::string const& arguments, std::string const& before)
    {
        std::atomic<bool> end = false;
        std::thread watch([&] {
            for (; !end; std::this_thread::sleep_for(std::chrono::microseconds(200))) {
                std::error_code ignored;
                for (auto const& entry : fs::directory_iterator(folder.path(), ignored))
                    names.insert(entry.path().filename().string());
            }
        });
        auto const ending = run_command("cd " + folder.path().string() + " && " + before +
                                        " " CRX_PROGRAM " " + arguments + " 2>&1");
        end = true;
        watch.join();
        return ending;
    }
    TemporaryFolder folder;
    std::set<std::string> names;
    std::string whole;
    static constexpr char const* on_network = "LD_PRELOAD=" CRX_FOREIGN_DISK;
};

TEST_F(NetworkDisk, ASweepKeepsAJournalThere)
{
    auto const ending = run("sweep x.toml --backend cpu --db a.db", on_network);
    EXPECT_EQ(ending.status, 0) << ending.text;
    EXPECT_EQ(names.count("a.db-wal") + names.count("a.db-shm"), 0u);
    EXPECT_EQ(names.count("a.db-journal"), 1u);
    EXPECT_TRUE(run("export a.db", on_network).text == whole);
    // On a local disk it is a log.
    run("sweep x.toml --backend cpu --db b.db", "");
    EXPECT_EQ(names.count("b.db-wal"), 1u);
}

/// After the program's name: a sweep that is killed once its log has content.
constexpr char const* killed_with_a_log =
    R"sh( sweep x.toml --backend cpu --threads 1 --db a.db 2>&1 &
until [ "$(stat -c %s a.db-wal 2>/dev/null || echo 0)" -ge 100000 ] || ! kill -0 $! 2>/dev/null
do sleep 0.002; done
kill -KILL $!
wait $!
)sh";

// A local store that was killed has a log. Moved to a network with it, it is continued without.
TEST_F(NetworkDisk, AStoreThatComesWithALogGoesOnWithAJournal)
{
    auto const killed =
        run_command("cd " + folder.path().string() + "; " + CRX_PROGRAM + killed_with_a_log);
    ASSERT_EQ(killed.status, 128 + SIGKILL) << killed.text;
    fs::remove(folder / "a.db-shm"); // stays behind where a store is moved
    names.clear();
    auto const ending = run("sweep x.toml --backend cpu --db a.db", on_network);
    EXPECT_EQ(ending.status, 0) << ending.text;
    EXPECT_EQ(names.count("a.db-shm"), 0u);
    EXPECT_EQ(names.count("a.db-journal"), 1u);
    EXPECT_FALSE(fs::exists(folder / "a.db-wal"));
    EXPECT_TRUE(run("export a.db", "").text == whole);
}

TEST_F(NetworkDisk, OthersReadMeanwhile)
{
    std::ofstream(folder / "x.toml") << rounds_experiment("instances = 100000", 0);
    std::thread sweep([&] {
        run_command("cd " + folder.path().string() + " && " + on_network +
                    " timeout 3 " CRX_PROGRAM " sweep x.toml --backend cpu --db a.db 2>&1");
    });
    Ending read;
    for (int attempt = 0; attempt < 100 && read.status != 0; ++attempt) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        read = run_command("cd " + folder.path().string() + " && " + on_network +
                           " " CRX_PROGRAM " export a.db 2>&1");
    }
    EXPECT_EQ(read.status, 0) << read.text;
    sweep.join();
}

} // namespace
} // namespace crx_test
