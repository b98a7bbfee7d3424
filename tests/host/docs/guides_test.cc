#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
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

/// Runs each line "    $ crx .." of a page in the folder of the sources, and compares what is
/// behind it up to an empty line; "[..]" stands for lines left out. How many it ran.
int run_examples(std::filesystem::path const& page)
{
    std::ifstream file(page);
    std::string const source = CRX_SOURCE_DIR, prompt = "    $ crx ";
    int count = 0;
    std::string output;
    bool behind = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(prompt)) {
            output = crx_test::run_command("cd '" + source + "' && '" CRX_PROGRAM "' " +
                                           line.substr(prompt.size()) + " 2>&1")
                         .text;
            ++count;
        }
        behind = line.starts_with("    ") && (behind || line.starts_with(prompt));
        if (!behind || line.starts_with(prompt)) continue;
        auto const text = line.substr(4);
        // What differs from machine to machine.
        static std::regex const of_the_machine(R"(\[\.\.\]|(time|error|residual)\b.*)");
        if (!std::regex_match(text, of_the_machine))
            EXPECT_NE(("\n" + output).find("\n" + text + "\n"), std::string::npos)
                << text << "\nis not what the program prints:\n"
                << output;
    }
    return count;
}

TEST(Pages, ExamplesPrintWhatThePageSays)
{
    int count = 0;
    for (auto const& entry :
         std::filesystem::recursive_directory_iterator(std::string(CRX_SOURCE_DIR) + "/docs"))
        if (entry.path().extension() == ".md") {
            SCOPED_TRACE(entry.path().filename().string());
            count += run_examples(entry.path());
        }
    EXPECT_GE(count, 8);
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
