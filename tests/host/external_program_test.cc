#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// Commands that are programs of their own, as those of the Python package.
namespace crx {
namespace {

TEST(ExternalProgram, RunsTheProgramOfThatName)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "crx-echo") << "#!/bin/sh\necho \"$CRX: $*\"\nexit 7\n";
    std::filesystem::permissions(folder / "crx-echo", std::filesystem::perms::owner_all);
    auto const run = [&](std::string const& arguments) {
        return crx_test::run_command("PATH=" + folder.path().string() + ":$PATH " CRX_PROGRAM " " +
                                     arguments + " 2>&1");
    };
    EXPECT_EQ(run("echo one --two").with_status(), CRX_PROGRAM ": one --two\nstatus 7");
    EXPECT_EQ(run("help echo").text, CRX_PROGRAM ": --help\n");
    EXPECT_NE(run("ecko").text.find("ecko: no command of crx"), std::string::npos);
}

} // namespace
} // namespace crx
