#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>

/// `crx completion bash`, sourced by bash as a user does.
namespace crx {
namespace {

/// What completes the last of these words of a command line, by spaces.
std::string completed(std::string const& words)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder / "try.sh")
        << "source <(" << CRX_PROGRAM << " completion bash) || exit 1\n"
        << "COMP_WORDS=(" << words << "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
        << "_crx\necho \"${COMPREPLY[*]}\"\n";
    auto const ending =
        crx_test::run_program("completion bash >/dev/null && bash try.sh", folder.path());
    return ending.text;
}

TEST(Completion, CommandsOptionsAndValues)
{
    EXPECT_EQ(completed("crx sw"), "sweep\n");
    EXPECT_EQ(completed("crx help pan"), "panels\n");
    EXPECT_EQ(completed("crx completion ''"), "bash zsh\n");
    EXPECT_EQ(completed("crx sweep --th"), "--threads\n");
    EXPECT_EQ(completed("crx sweep x.toml --backend ''"), "auto cuda cpu\n");
    EXPECT_EQ(completed("crx sweep --backend = cu"), "cuda\n"); // as bash cuts --backend=cu
    EXPECT_EQ(completed("crx plot ''"), "\n");                  // files: readline's own
    EXPECT_EQ(completed("crx plot a.db -o --"), "\n");          // a value is due, no option
}

TEST(Completion, NamesEveryCommand)
{
    auto const help = crx_test::run_program("help").text;
    int commands = 0;
    for (auto const* shell : {"bash", "zsh"}) {
        auto const script = crx_test::run_program("completion " + std::string(shell)).text;
        for (auto at = help.find("Subcommands:\n  "); at != std::string::npos;) {
            at = help.find_first_not_of(" \n", help.find('\n', at));
            if (at == std::string::npos || help.compare(at, 5, "Exit ") == 0) break;
            auto const name = help.substr(at, help.find(' ', at) - at);
            EXPECT_NE(script.find(name), std::string::npos) << shell << " " << name;
            ++commands;
        }
        EXPECT_NE(script.find("--round-cap"), std::string::npos) << shell;
    }
    EXPECT_GE(commands, 2 * 18);
    EXPECT_EQ(crx_test::run_program("completion fish").status, 2);
}

// zsh reads a colon as the end of a name, and two quotes as the end of a text.
TEST(Completion, MarksWhatZshWouldReadAsItsOwn)
{
    auto const script = crx_test::run_program("completion zsh").text;
    EXPECT_NE(script.find("'replay:Run one instance of a sweep'\\''s cell"), std::string::npos);
    EXPECT_NE(script.find(" for the browser\\: "), std::string::npos);
}

} // namespace
} // namespace crx
