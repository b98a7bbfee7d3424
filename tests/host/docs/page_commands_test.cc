#include "tests/host/run_program.hh"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <string>
#include <vector>

/// Every command line in a document names a command that there is and options that it takes.
namespace crx {
namespace {

namespace fs = std::filesystem;

/// Code of a page: indented and fenced lines, and what stands between `.
std::vector<std::string> code_of(fs::path const& page)
{
    std::ifstream file(page);
    std::vector<std::string> code;
    bool fenced = false;
    std::regex const span("`([^`]+)`");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("```")) {
            fenced = !fenced;
        } else if (fenced || line.starts_with("    ")) {
            code.push_back(line);
        } else {
            for (std::sregex_iterator it(line.begin(), line.end(), span), end; it != end; ++it)
                code.push_back((*it)[1]);
        }
    }
    return code;
}

/// What `crx help COMMAND` prints; empty where there is no such command.
std::string const& help_of(std::string const& command)
{
    static std::map<std::string, std::string> known;
    if (!known.contains(command)) {
        auto const ending = crx_test::run_program("help " + command, ".", false);
        known[command] = ending.status == 0 ? ending.text : "";
    }
    return known[command];
}

/// Calls of the program in a piece of code, each with its command and what follows.
std::vector<std::pair<std::string, std::string>> calls_in(std::string const& code)
{
    static std::regex const call(R"((?:^|[\s/(])crx ([a-z][a-z-]*)([^&|;#>)]*))");
    std::vector<std::pair<std::string, std::string>> calls;
    for (std::sregex_iterator it(code.begin(), code.end(), call), end; it != end; ++it)
        calls.emplace_back((*it)[1], (*it)[2]);
    return calls;
}

int check_page(fs::path const& page)
{
    static std::regex const option("--[a-z][a-z0-9-]*");
    int checked = 0;
    for (auto const& code : code_of(page))
        for (auto const& [command, rest] : calls_in(code)) {
            auto const& help = help_of(command);
            EXPECT_FALSE(help.empty()) << page << ": no command " << command << " in\n" << code;
            for (std::sregex_iterator it(rest.begin(), rest.end(), option), end; it != end; ++it)
                EXPECT_NE(help.find(it->str()), std::string::npos)
                    << page << ": crx " << command << " takes no " << it->str() << " in\n"
                    << code;
            ++checked;
        }
    return checked;
}

TEST(PageCommands, NameCommandsAndOptionsThatThereAre)
{
    auto checked = check_page(std::string(CRX_SOURCE_DIR) + "/README.md");
    for (auto const& entry :
         fs::recursive_directory_iterator(std::string(CRX_SOURCE_DIR) + "/docs"))
        // Decisions speak of the program as it was then.
        if (entry.path().extension() == ".md" &&
            entry.path().parent_path().filename() != "decisions")
            checked += check_page(entry.path());
    EXPECT_GT(checked, 200);
}

TEST(PageCommands, FaultsAreSeen)
{
    EXPECT_EQ(calls_in("build/program/crx sweep a.toml --db b.db && crx plot b.db").size(), 2U);
    EXPECT_EQ(calls_in("the crxx sweep").size(), 0U);
    EXPECT_EQ(help_of("swep"), "");
    EXPECT_EQ(help_of("sweep").find("--no-such-option"), std::string::npos);
}

} // namespace
} // namespace crx
