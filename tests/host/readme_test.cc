#include "tests/host/run_program.hh"
#include "tests/support/temporary_folder.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

/// The README's commands are run as printed, and print what it says.
namespace crx {
namespace {

/// Indented lines that follow each other.
std::vector<std::vector<std::string>> code_blocks()
{
    std::ifstream readme(std::string(CRX_SOURCE_DIR) + "/README.md");
    std::vector<std::vector<std::string>> blocks;
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
        auto const code = line.starts_with("    ");
        if (code && !inside) blocks.emplace_back();
        if (code) blocks.back().push_back(line.substr(line.find_first_not_of(' ')));
        inside = code;
    }
    return blocks;
}

TEST(Readme, CommandsPrintWhatItSays)
{
    crx_test::TemporaryFolder const folder;
    std::filesystem::create_symlink(std::string(CRX_SOURCE_DIR) + "/experiments",
                                    folder.path() / "experiments");
    auto const blocks = code_blocks();
    int commands = 0;
    for (std::size_t k = 0; k + 1 < blocks.size(); ++k) {
        std::string script;
        for (auto const& line : blocks[k]) script += line + " && ";
        if (script.find("build/program/crx ") == std::string::npos || script.starts_with("made"))
            continue;
        script = std::regex_replace(script, std::regex("build/program/crx"), CRX_PROGRAM);
        auto const ending = crx_test::run_command("{ cd '" + folder.path().string() + "' && " +
                                                  script + "true; } 2>&1");
        EXPECT_EQ(ending.status, 0) << ending.text;
        for (auto const& expected : blocks[k + 1])
            EXPECT_NE(ending.text.find(expected), std::string::npos) << script << "\nprinted\n"
                                                                     << ending.text << "\nnot\n"
                                                                     << expected;
        ++commands;
    }
    EXPECT_EQ(commands, 2);
}

} // namespace
} // namespace crx
