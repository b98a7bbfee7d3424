// claims/records.jsonl: each line holds by the oracle's rules, and docs/records.md is their table.
#include "tests/host/run_program.hh"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace crx_test {
namespace {

TEST(Records, HoldByTheOraclesRules)
{
    auto const ending = run_program("witness --quiet " CRX_SOURCE_DIR "/claims/records.jsonl");
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.text, "");
}

/// The options of the command that found a record, by name.
std::map<std::string, std::string> options_of(nlohmann::json const& record)
{
    std::map<std::string, std::string> options{{"--class", "any"}};
    std::istringstream words(record.at("found_by").get<std::string>());
    std::string name, value;
    words >> name >> name; // crx search
    while (words >> name >> value) options[name] = value;
    return options;
}

std::string ratio_text(std::string const& fraction)
{
    auto const slash = fraction.find('/');
    auto const below = slash == std::string::npos ? 1 : std::stod(fraction.substr(slash + 1));
    return fmt::format("{:.4f}", std::stod(fraction.substr(0, slash)) / below);
}

TEST(Records, ThePageIsTheirTable)
{
    std::vector<std::string> const columns{"opt, any",
                                           "opt, equal-prompts",
                                           "opt, identical",
                                           "opt, small",
                                           "opt, any, arrivals to 8",
                                           "opt, any, l/u = 1/4",
                                           "opt, equal-prompts, l/u = 1/4",
                                           "h-sf, equal-prompts, l/u = 1/4",
                                           "volume, any",
                                           "best-found, any"};
    std::map<std::string, std::map<std::string, std::string>> rows;
    std::ifstream records(CRX_SOURCE_DIR "/claims/records.jsonl");
    int count = 0;
    for (std::string line; std::getline(records, line); ++count) {
        auto const record = nlohmann::json::parse(line);
        auto options = options_of(record);
        auto policy = options["--policy"];
        if (options.contains("--selector")) policy += " (" + options["--selector"] + ")";
        auto column = options["--over"] + ", " + options["--class"];
        if (options.contains("--interval")) column += ", l/u = " + options["--interval"];
        if (options.contains("--last-arrival"))
            column += ", arrivals to " + options["--last-arrival"];
        auto& cell = rows[policy][column];
        EXPECT_EQ(cell, "") << policy << " " << column << " stands there twice";
        cell = ratio_text(record.at("ratio"));
    }
    EXPECT_EQ(count, 85);
    auto table = "| policy | " + fmt::format("{}", fmt::join(columns, " | ")) + " |\n";
    for (std::size_t k = 0; k <= columns.size(); ++k) table += "|---";
    table += "|\n";
    for (auto& [policy, cells] : rows) {
        table += "| " + policy;
        for (auto const& column : columns) {
            auto const& cell = cells[column];
            table += " | " + (cell.empty() ? "-" : cell);
        }
        table += " |\n";
    }
    std::ifstream page(CRX_SOURCE_DIR "/docs/records.md");
    std::string const text{std::istreambuf_iterator<char>(page), {}};
    EXPECT_NE(text.find("\n\n" + table + "\n"), std::string::npos) << table;
}

} // namespace
} // namespace crx_test
