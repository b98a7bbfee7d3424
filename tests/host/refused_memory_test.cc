#include "host/experiment/small_experiment.hh"
#include "support/sanitized.hh"
#include "support/temporary_folder.hh"
#include "support/test_seed.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// A sweep whose allocations are refused one after the other: it says so, what it leaves is whole,
/// and the same command goes on to the same results (docs/guarantees.md).
namespace crx {
namespace {

namespace fs = std::filesystem;
using crx_test::run_command;
using crx_test::run_program;
using crx_test::sanitized;

/// Memory that is freed does not come back. A library may then end the program where nothing can be
/// caught; the store is as after a kill.
bool may_end_anyhow(std::string const& how) { return how == "nothing-freed"; }

/// How far apart the allocations are that are tried; 1 tries them all, which takes an hour.
int step()
{
    char const* const given = std::getenv("CRX_TEST_ALLOCATION_STEP");
    return given == nullptr ? 401 : std::atoi(given);
}

class RefusedMemory : public testing::TestWithParam<char const*>
{
  protected:
    RefusedMemory()
    {
        std::ofstream(folder / "small.toml") << small_experiment;
        EXPECT_EQ(run_program(sweep("whole.db"), folder.path()).status, 0);
        text = run_program("export whole.db", folder.path()).text;
    }
    static std::string sweep(std::string const& store)
    {
        return "sweep small.toml --backend cpu --threads 1 --db " + store;
    }
    /// False where the command came to its end before allocation number `at`.
    bool run_without(long at, std::string const& command, crx_test::Ending& ending) const
    {
        fs::remove(folder / "mark");
        ending =
            run_command("cd '" + folder.path().string() +
                        "' && LD_PRELOAD='" CRX_FAIL_MEMORY "' CRX_FAIL_AT=" + std::to_string(at) +
                        " CRX_FAIL_HOW=" + GetParam() + " CRX_FAIL_MARK=mark " CRX_PROGRAM " " +
                        command + " 2>&1");
        return fs::exists(folder / "mark");
    }
    /// The sweep without that allocation, then again with all memory.
    bool is_whole_after(long at)
    {
        for (auto const* part : {"a.db", "a.db-wal", "a.db-shm", "a.db-journal", "a.db-writer"})
            fs::remove(folder / part);
        crx_test::Ending ending;
        if (!run_without(at, sweep("a.db"), ending)) return false;
        SCOPED_TRACE("CRX_FAIL_AT=" + std::to_string(at) + "\n" + ending.text);
        refused += ending.status != 0;
        if (!may_end_anyhow(GetParam())) EXPECT_LE(ending.status, 2);
        if (ending.status == 1 || ending.status == 2) {
            EXPECT_NE(ending.text.find("memory"), std::string::npos);
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
        return true;
    }

    crx_test::TemporaryFolder folder;
    std::string text;
    int refused = 0;
};

TEST_P(RefusedMemory, EveryAllocationOfASweepMayFail)
{
    if (sanitized) GTEST_SKIP() << "sanitizers take allocations for themselves";
    auto const begin = 1 + static_cast<long>(crx_test::test_seed() % static_cast<unsigned>(step()));
    int tried = 0;
    for (long at = begin; is_whole_after(at); at += step()) ++tried;
    EXPECT_GT(tried, 5000 / step());
    // One that is refused alone is taken from the reserve, but where a library takes it itself.
    EXPECT_GT(refused, std::string(GetParam()) == "once" ? 0 : tried / 2);
}

/// With so little address space that an instance does not fit.
TEST(TooLittleMemory, IsSaidWithWhatTakesIt)
{
    if (sanitized) GTEST_SKIP() << "sanitizers take much address space";
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "large.toml")
        << with(with(with(small_experiment, "requests = 10", "requests = 20000000"), "upper = 20",
                     "upper = 1073741824"),
                "memory = 100", "memory = 2000000000");
    auto const ending =
        run_command("cd '" + folder.path().string() + "' && ulimit -v 400000 && " + CRX_PROGRAM +
                    " sweep large.toml --backend cpu --threads 1 --db a.db 2>&1");
    EXPECT_EQ(ending.status, 1);
    EXPECT_NE(
        ending.text.find("there is not enough memory: engine requests alone takes 3885.3 MB a "
                         "thread\n  fewer --threads, fewer requests or shorter outputs take "
                         "less\n  kept: 0 complete cells"),
        std::string::npos)
        << ending.text;
}

INSTANTIATE_TEST_SUITE_P(OneOrAllLater, RefusedMemory,
                         testing::Values("once", "full-on", "nothing-freed"));

} // namespace
} // namespace crx
