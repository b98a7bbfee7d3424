#include "host/experiment/small_experiment.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// Clocks that jump at every reading: results do not know what time it is.
namespace crx {
namespace {

TEST(JumpingClock, ASweepGivesTheSameBytes)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "small.toml") << with(small_experiment, "instances = 4",
                                                 "instances = 300\nhalf_width = 0.001\nfirst = 16");
    std::string const sweep = "sweep small.toml --backend cpu --threads 2 --db ";
    ASSERT_EQ(crx_test::run_program(sweep + "whole.db", folder.path()).status, 0);
    auto const whole = crx_test::run_program("export whole.db", folder.path()).text;
    // An hour at each reading; a second, more than a chunk is to take; a day back and forth.
    int number = 0;
    for (std::string const jumps : {"CRX_CLOCK_AHEAD=3600", "CRX_CLOCK_AHEAD=1",
                                    "CRX_CLOCK_JUMP=86400", "CRX_CLOCK_JUMP=2000000000"}) {
        auto const store = std::to_string(++number) + ".db";
        auto const mark = folder / ("mark" + store);
        auto const ending = crx_test::run_command(
            "cd '" + folder.path().string() +
            "' && ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD='" CRX_JUMP_CLOCK
            "' CRX_CLOCK_MARK='" +
            mark.string() + "' " + jumps + " " CRX_PROGRAM " " + sweep + store + " 2>&1");
        EXPECT_EQ(ending.status, 0) << jumps << "\n" << ending.text;
        EXPECT_TRUE(std::filesystem::exists(mark)) << jumps;
        EXPECT_EQ(crx_test::run_program("export " + store, folder.path()).text, whole) << jumps;
        EXPECT_EQ(crx_test::run_program("check " + store, folder.path()).status, 0) << jumps;
    }
}

} // namespace
} // namespace crx
