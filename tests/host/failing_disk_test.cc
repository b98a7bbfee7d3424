#include "host/experiment/small_experiment.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// A sweep whose changes to files fail one after the other: what it leaves is whole, and the same
/// command goes on to the same results (docs/guarantees.md).
namespace crx {
namespace {

namespace fs = std::filesystem;
using crx_test::run_command;
using crx_test::run_program;

std::string failing(std::string const& how, int at, std::string const& command)
{
    return "LD_PRELOAD='" CRX_FAIL_WRITES "' ASAN_OPTIONS=verify_asan_link_order=0 CRX_FAIL_HOW=" +
           how + " CRX_FAIL_AT=" + std::to_string(at) + " CRX_FAIL_MARK=mark " + CRX_PROGRAM + " " +
           command;
}

class FailingDisk : public testing::Test
{
  protected:
    FailingDisk()
    {
        std::ofstream(folder / "small.toml") << small_experiment;
        EXPECT_EQ(run_program(sweep("whole.db"), folder.path()).status, 0);
        text = run_program("export whole.db", folder.path()).text;
    }
    static std::string sweep(std::string const& store)
    {
        return "sweep small.toml --backend cpu --threads 1 --db " + store;
    }
    /// False where the command came to its end before change number `at`.
    bool run_with_failure(std::string const& how, int at, std::string const& command,
                          crx_test::Ending& ending) const
    {
        fs::remove(folder / "mark");
        ending = run_command("cd '" + folder.path().string() + "' && " + failing(how, at, command) +
                             " 2>&1");
        return fs::exists(folder / "mark");
    }

    crx_test::TemporaryFolder folder;
    std::string text;
};

TEST_F(FailingDisk, EveryChangeOfASweepMayFail)
{
    int failures = 0, reported = 0;
    for (std::string const how : {"full", "error", "torn", "kill", "full-on"}) {
        // Every fifth change, another one in each way: together they are all.
        for (int at = 1 + failures % 5;; at += 5) {
            for (auto const* part : {"a.db", "a.db-wal", "a.db-shm", "a.db-journal", "a.db-writer"})
                fs::remove(folder / part);
            crx_test::Ending ending;
            if (!run_with_failure(how, at, sweep("a.db"), ending)) break;
            SCOPED_TRACE(how + " at " + std::to_string(at) + "\n" + ending.text);
            ++failures;
            reported += ending.status != 0;
            if (how != "kill" && ending.status != 0) {
                EXPECT_NE(ending.text.find("a.db: "), std::string::npos);
            }
            if (fs::exists(folder / "a.db") && fs::file_size(folder / "a.db") > 0) {
                auto const check = run_program("check a.db", folder.path());
                EXPECT_TRUE(check.status == 0 ||
                            check.text.find("not a store of crx") != std::string::npos)
                    << check.text;
            }
            auto const again = run_program(sweep("a.db"), folder.path());
            EXPECT_EQ(again.status, 0) << again.text;
            EXPECT_EQ(run_program("export a.db", folder.path()).text, text);
            EXPECT_EQ(run_program("check a.db", folder.path()).status, 0);
        }
    }
    EXPECT_GT(failures, 20);
    EXPECT_GT(reported, failures / 2);
}

TEST_F(FailingDisk, AnOutputIsWholeOrAsItWas)
{
    for (std::string const how : {"full", "error", "torn", "kill"}) {
        for (int at = 1;; ++at) {
            std::ofstream(folder / "a.csv") << "old";
            crx_test::Ending ending;
            if (!run_with_failure(how, at, "export whole.db -o a.csv", ending)) break;
            SCOPED_TRACE(how + " at " + std::to_string(at) + "\n" + ending.text);
            EXPECT_NE(ending.status, 0);
            std::ifstream in(folder / "a.csv", std::ios::binary);
            EXPECT_EQ((std::string{std::istreambuf_iterator<char>(in), {}}), "old");
            ASSERT_LT(at, 20);
        }
    }
}

} // namespace
} // namespace crx
