#include "host/sweep/scratch_experiment.hh"
#include "tests/host/run_program.hh"

#include <gtest/gtest.h>

/// Standard error that is closed or whose disk is full: what the program says there may be lost,
/// and nothing else.
namespace crx_test {
namespace {

TEST(ClosedStreams, ASweepGoesOnAndItsStoreIsWhole)
{
    ScratchExperiment const file;
    auto const sweep = [&](std::string const& store, std::string const& redirection) {
        auto const ending =
            run_command(CRX_PROGRAM " sweep " + file.path() + " --backend cpu --db " +
                        file.folder(store) + " " + redirection);
        EXPECT_EQ(ending.status, 0) << redirection << "\n" << ending.text;
        // The lock is given a number that nothing is printed to, so it is empty and goes.
        EXPECT_FALSE(std::filesystem::exists(file.folder(store) + "-writer")) << redirection;
        return run_program("export " + file.folder(store)).text;
    };
    auto const whole = sweep("whole.db", "2>/dev/null");
    EXPECT_EQ(sweep("closed.db", "2>&-"), whole);
    EXPECT_EQ(sweep("all_closed.db", "2>&- <&-"), whole);
    EXPECT_EQ(sweep("full.db", "2>/dev/full"), whole);
    EXPECT_EQ(run_command(CRX_PROGRAM " sweep " + file.path() + " --plan 2>/dev/full").status, 0);
}

// What is asked for on standard output must arrive.
TEST(ClosedStreams, ResultsThatCannotBePrintedAreAFailure)
{
    ScratchExperiment const file;
    for (auto const* redirection : {">&-", ">/dev/full"})
        EXPECT_EQ(run_command(CRX_PROGRAM " info --engines " + file.path() + " 2>/dev/null " +
                              redirection)
                      .status,
                  1)
            << redirection;
}

} // namespace
} // namespace crx_test
