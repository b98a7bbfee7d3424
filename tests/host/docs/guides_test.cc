#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

/// Guides are run as they are written: a block "```toml NAME" is saved as the file NAME, a block
/// "```sh" is run in the same folder, and a block "```text" behind it has lines of its output.
namespace crx {
namespace {

struct Block
{
    std::string kind, name; ///< "sh"; "toml", "first.toml"
    std::string text;
    std::vector<std::string> lines;
};

std::vector<Block> blocks_of(std::filesystem::path const& page)
{
    std::ifstream file(page);
    std::vector<Block> blocks;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("```")) {
            if (!inside) continue;
            blocks.back().text += line + "\n";
            blocks.back().lines.push_back(line);
            continue;
        }
        inside = !inside;
        if (!inside) continue;
        Block block;
        std::istringstream(line.substr(3)) >> block.kind >> block.name;
        blocks.push_back(block);
    }
    return blocks;
}

std::vector<std::filesystem::path> guides()
{
    std::vector<std::filesystem::path> pages;
    for (auto const& entry :
         std::filesystem::directory_iterator(std::string(CRX_SOURCE_DIR) + "/docs/guides"))
        if (entry.path().extension() == ".md" && entry.path().filename() != "README.md")
            pages.push_back(entry.path());
    std::sort(pages.begin(), pages.end());
    return pages;
}

/// Runs a guide in an empty folder, in which `crx` is the program and experiments/ are there.
void run_guide(std::filesystem::path const& page)
{
    crx_test::TemporaryFolder const folder;
    auto const here = folder.path();
    std::filesystem::create_directory(here / "bin");
    std::filesystem::create_symlink(CRX_PROGRAM, here / "bin" / "crx");
    std::filesystem::create_symlink(std::string(CRX_SOURCE_DIR) + "/experiments",
                                    here / "experiments");
    std::string output;
    for (auto const& block : blocks_of(page)) {
        if (block.kind == "sh") {
            std::ofstream(here / "commands") << "set -e\n" << block.text;
            auto const ending =
                crx_test::run_command("cd '" + here.string() + "' && PATH=$PWD/bin:$PATH && " +
                                      "export PATH && sh commands 2>&1");
            EXPECT_EQ(ending.status, 0) << block.text << ending.text;
            output = ending.text;
        } else if (block.kind == "text") {
            for (auto const& line : block.lines)
                EXPECT_NE(output.find(line), std::string::npos) << "the guide says\n"
                                                                << line << "\nthe program prints\n"
                                                                << output;
        } else if (!block.name.empty()) {
            std::ofstream(here / block.name) << block.text;
        }
    }
}

TEST(Guides, AreRunAsWritten)
{
    auto const pages = guides();
    EXPECT_GE(pages.size(), 5U);
    for (auto const& page : pages) {
        SCOPED_TRACE(page.filename().string());
        run_guide(page);
    }
}

} // namespace
} // namespace crx
