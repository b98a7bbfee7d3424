#include "host/experiment/small_experiment.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// The folder of a store that is moved or removed while a sweep adds to it, before each change of a
/// file: the sweep does not claim to have made what is not there, and what was moved is whole.
namespace crx {
namespace {

namespace fs = std::filesystem;
using crx_test::run_command;
using crx_test::run_program;

class MovedFolder : public testing::Test
{
  protected:
    MovedFolder()
    {
        std::ofstream(folder / "small.toml") << small_experiment;
        EXPECT_EQ(run_program(sweep("whole.db"), folder.path()).status, 0);
        text = run_program("export whole.db", folder.path()).text;
    }
    static std::string sweep(std::string const& store)
    {
        return "sweep small.toml --backend cpu --threads 1 --db " + store;
    }
    /// False where the sweep came to its end before change number `at`.
    bool run_and_lose(std::string const& how, int at, crx_test::Ending& ending) const
    {
        for (auto const* name : {"results", "results.gone", "mark"}) fs::remove_all(folder / name);
        fs::create_directory(folder / "results");
        ending = run_command("cd '" + folder.path().string() +
                             "' && LD_PRELOAD='" CRX_FAIL_WRITES
                             "' ASAN_OPTIONS=verify_asan_link_order=0 CRX_FAIL_HOW=" +
                             how + " CRX_FAIL_AT=" + std::to_string(at) +
                             " CRX_FAIL_MARK=mark CRX_FAIL_FOLDER=results " CRX_PROGRAM " " +
                             sweep("results/a.db") + " 2>&1");
        return fs::exists(folder / "mark");
    }
    bool made(crx_test::Ending const& ending) const
    {
        return ending.text.find("made results/a.db") != std::string::npos;
    }

    crx_test::TemporaryFolder folder;
    std::string text;
};

TEST_F(MovedFolder, WhatWasMovedIsWholeAndGoesOn)
{
    int told = 0;
    crx_test::Ending ending;
    for (int at = 1; run_and_lose("moved", at, ending); ++at) {
        SCOPED_TRACE("moved at " + std::to_string(at) + "\n" + ending.text);
        told += ending.status != 0;
        auto const moved = folder / "results.gone/a.db";
        EXPECT_FALSE(fs::exists(folder / "results"));
        if (made(ending)) {
            // Only while the program closed its files.
            EXPECT_EQ(run_program("export results.gone/a.db", folder.path()).text, text);
            continue;
        }
        EXPECT_NE(ending.status, 0);
        EXPECT_NE(ending.text.find("results/a.db"), std::string::npos);
        auto const again = run_program(sweep("results.gone/a.db"), folder.path());
        EXPECT_EQ(again.status, 0) << again.text;
        EXPECT_EQ(run_program("export results.gone/a.db", folder.path()).text, text);
        EXPECT_EQ(run_program("check results.gone/a.db", folder.path()).status, 0);
        ASSERT_LT(at, 200);
    }
    EXPECT_GT(told, 3);
}

TEST_F(MovedFolder, WhatWasRemovedIsNotSaidToBeMade)
{
    int told = 0;
    crx_test::Ending ending;
    for (int at = 1; run_and_lose("removed", at, ending); at += 3) {
        SCOPED_TRACE("removed at " + std::to_string(at) + "\n" + ending.text);
        told += ending.status != 0;
        if (!made(ending)) {
            EXPECT_NE(ending.status, 0);
        }
        fs::create_directory(folder / "results");
        EXPECT_EQ(run_program(sweep("results/a.db"), folder.path()).status, 0);
        EXPECT_EQ(run_program("export results/a.db", folder.path()).text, text);
        ASSERT_LT(at, 200);
    }
    EXPECT_GT(told, 1);
}

} // namespace
} // namespace crx
