#include "host/input/scratch_file.hh"
#include "oracle/iteration.hh"
#include "oracle/oracle.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

/// The examples of docs/model.md come out as the page says: in the program, and in the oracle,
/// which shares no code with it.
namespace crx {
namespace {

/// A row of an example's table: texts by column.
using Row = std::map<std::string, std::string>;

struct Example
{
    std::int64_t memory = 0;
    oracle::Clock clock; ///< the unit clock unless the text before it says d0, d1 and d2
    std::string csv;
    std::vector<Row> rows;
};

std::string trimmed(std::string const& text)
{
    auto const begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? ""
                                      : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// Cells of a line of a table, without the outer bars.
std::vector<std::string> cells_of(std::string const& line)
{
    std::vector<std::string> cells;
    std::istringstream text(line.substr(1));
    for (std::string cell; std::getline(text, cell, '|');) cells.push_back(trimmed(cell));
    return cells;
}

/// A CSV block, the last "M = .." before it, and the next table behind it.
std::vector<Example> examples_of_page()
{
    std::ifstream page(std::string(CRX_SOURCE_DIR) + "/docs/model.md");
    std::vector<Example> examples;
    std::int64_t memory = 0;
    oracle::Clock clock;
    bool csv = false, awaits_table = false;
    std::vector<std::string> header;
    for (std::string line; std::getline(page, line);) {
        std::smatch found;
        if (std::regex_search(line, found, std::regex(R"(\bM = (\d+))")))
            memory = std::stoll(found[1]);
        if (std::regex_search(line, found, std::regex(R"(d0 = (\d+), d1 = (\d+), d2 = (\d+))")))
            clock = {std::stoll(found[1]), std::stoll(found[2]) << 16, std::stoll(found[3]) << 16};
        if (line == "```csv") {
            examples.push_back({memory, clock, "", {}});
            clock = {};
            csv = awaits_table = true;
        } else if (line == "```") {
            csv = false;
        } else if (csv) {
            examples.back().csv += line + "\n";
        } else if (line.starts_with('|') && awaits_table) {
            if (header.empty())
                header = cells_of(line);
            else if (!line.starts_with("|---")) {
                auto const cells = cells_of(line);
                Row row;
                for (std::size_t k = 0; k < header.size() && k < cells.size(); ++k)
                    row[header[k]] = cells[k];
                examples.back().rows.push_back(row);
            }
        } else if (!header.empty()) {
            header.clear();
            awaits_table = false;
        }
    }
    return examples;
}

std::vector<std::int64_t> numbers_of(std::string const& text)
{
    std::vector<std::int64_t> numbers;
    std::istringstream list(text);
    for (std::string number; std::getline(list, number, ',');)
        numbers.push_back(std::stoll(number));
    return numbers;
}

/// The requests of an example, as the oracle takes them.
std::vector<oracle::Request> requests_of(std::string const& csv)
{
    std::istringstream lines(csv);
    std::string line, name;
    std::getline(lines, line);
    std::vector<std::string> columns;
    for (std::istringstream names(line); std::getline(names, name, ',');) columns.push_back(name);
    std::vector<oracle::Request> requests;
    while (std::getline(lines, line)) {
        std::map<std::string, std::int64_t> values;
        auto const numbers = numbers_of(line);
        for (std::size_t k = 0; k < columns.size(); ++k) values[columns[k]] = numbers.at(k);
        auto const output = values["output"];
        auto const known = !values.contains("lower");
        requests.push_back({values["arrival"], values["prompt"], output,
                            known ? output : values["lower"], known ? output : values["upper"]});
    }
    return requests;
}

/// The text between two ` in a cell.
std::string id_in(std::string const& cell)
{
    auto const begin = cell.find('`');
    return cell.substr(begin + 1, cell.find('`', begin + 1) - begin - 1);
}

nlohmann::json json_of(std::string const& arguments)
{
    auto const ending = crx_test::run_program(arguments + " --json", ".", false);
    EXPECT_EQ(ending.status, 0) << arguments;
    return nlohmann::json::parse(ending.text);
}

void expect_policy(Example const& example, Row const& row)
{
    auto const& cell = row.at("policy");
    auto const id = id_in(cell);
    SCOPED_TRACE("M = " + std::to_string(example.memory) + "\n" + example.csv + cell);
    oracle::Policy policy{id};
    std::string options;
    std::smatch found;
    if (std::regex_search(cell, found, std::regex(R"(alpha = 0\.(\d))"))) {
        policy.alpha = {std::stoll(found[1]), 10};
        options = " --alpha 0." + found[1].str();
    }
    if (cell.ends_with("cancels newest")) {
        policy.cancels_newest = true;
        options += " --cancels newest";
    }
    if (std::regex_search(cell, found, std::regex(R"(levels (\d+(, \d+)*))"))) {
        policy.levels = numbers_of(found[1]);
        options = " --levels " + std::regex_replace(found[1].str(), std::regex(" "), "");
    }
    if (example.clock.d1 > 0)
        options += " --d0 " + std::to_string(example.clock.d0) + " --d1 " +
                   std::to_string(example.clock.d1 >> 16) + " --d2 " +
                   std::to_string(example.clock.d2 >> 16);
    ScratchFile const file(example.csv);
    auto const schedule =
        oracle::simulate(policy, requests_of(example.csv), example.memory, 1, 0, example.clock);
    auto const run = json_of("simulate --instance " + file.path().string() + " --memory " +
                             std::to_string(example.memory) + " --policy " + id + options);
    EXPECT_EQ(schedule.finished, run["finished"].get<bool>());
    EXPECT_EQ(schedule.finished, row.at("TEL") != "unfinished");
    if (!schedule.finished) return;
    auto const total = std::stoll(row.at("TEL"));
    EXPECT_EQ(schedule.total_latency, total);
    EXPECT_EQ(run["total_latency"], total);
    if (row.contains("last start of each request")) {
        auto const starts = numbers_of(row.at("last start of each request"));
        EXPECT_EQ(schedule.start, starts);
        std::vector<std::int64_t> of_run;
        for (auto const& request : run["requests"]) of_run.push_back(request["start"]);
        EXPECT_EQ(of_run, starts);
    }
    if (row.contains("cancellations")) {
        EXPECT_EQ(schedule.cancellations, std::stoll(row.at("cancellations")));
        EXPECT_EQ(run["cancellations"], std::stoll(row.at("cancellations")));
    }
}

void expect_bound(Example const& example, Row const& row)
{
    ScratchFile const file(example.csv);
    auto const text = crx_test::run_program("baseline --instance " + file.path().string() +
                                                " --memory " + std::to_string(example.memory),
                                            ".", false)
                          .text;
    auto const id = id_in(row.at("bound"));
    auto const wanted = id == "opt" ? "OPT = " + row.at("value") + ", proven"
                                    : id + "[^0-9\n]* " + row.at("value") + "\\b";
    EXPECT_TRUE(std::regex_search(text, std::regex(wanted))) << wanted << "\n" << text;
}

TEST(ModelPage, ExamplesInRounds)
{
    auto const examples = examples_of_page();
    EXPECT_GE(examples.size(), 10U);
    for (auto const& example : examples) {
        EXPECT_FALSE(example.rows.empty()) << example.csv;
        for (auto const& row : example.rows)
            if (row.contains("policy"))
                expect_policy(example, row);
            else
                expect_bound(example, row);
    }
}

// The page's numbers once more: d0 = 10, d1 = 1 token, prompts of (1, 1) at 0, 5, 20, 30.
TEST(ModelPage, ExampleInIterations)
{
    std::ifstream page(std::string(CRX_SOURCE_DIR) + "/docs/model.md");
    std::map<std::string, std::string> completions;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line == "| policy | completions |")
            inside = true;
        else if (!line.starts_with('|'))
            inside = false;
        else if (inside && !line.starts_with("|---"))
            completions[id_in(cells_of(line)[0])] = cells_of(line)[1];
    }
    ASSERT_EQ(completions.size(), 2U);
    oracle::IterationModel const model{10, std::int64_t{1} << 16, {{1, 1}}};
    for (auto const& [id, text] : completions) {
        oracle::IterationPolicy policy{id, {}, {}};
        if (id == "wait")
            policy.thresholds = {2};
        else
            policy.memory = 100;
        auto const run = oracle::iterate(model, policy, {{0, 0}, {5, 0}, {20, 0}, {30, 0}}, 100);
        std::string made;
        for (auto const time : run.completion)
            made += (made.empty() ? "" : ", ") + (time < 0 ? "none" : std::to_string(time));
        EXPECT_EQ(made, text) << id;
    }
}

TEST(ModelPage, WangExample1)
{
    std::string csv = "prompt,output\n63,1\n";
    for (int k = 0; k < 21; ++k) csv += "1,2\n";
    ScratchFile const file(csv);
    auto const options = "simulate --instance " + file.path().string() + " --memory 64 --policy ";
    EXPECT_EQ(json_of(options + "mc-sf")["total_latency"], 64);
    EXPECT_EQ(json_of(options + "sorted-f --selector exact")["total_latency"], 45);
}

} // namespace
} // namespace crx
