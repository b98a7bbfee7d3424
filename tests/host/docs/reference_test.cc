#include "host/commands/reference.hh"
#include "host/experiment/measure_plan.hh"
#include "host/experiment/small_experiment.hh"
#include "host/results/measure.hh"
#include "tests/host/run_program.hh"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

/// The reference says what the program knows.
namespace crx {
namespace {

std::string contents_of(std::string const& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Reference, PageIsWhatTheProgramPrints)
{
    auto const path = std::string(CRX_SOURCE_DIR) + "/docs/reference.md";
    auto const page = crx_test::run_program("docs --format markdown", ".", false);
    EXPECT_EQ(page.status, 0);
    if (page.text == contents_of(path)) return;
    std::ofstream(path + ".new") << page.text;
    ADD_FAILURE() << "docs/reference.md is not what crx docs --format markdown prints, which now "
                     "stands in docs/reference.md.new: look at the difference and move it in place";
}

/// Names of every entry of these sections.
std::set<std::string> names_of(std::vector<ReferenceSection> const& sections)
{
    std::set<std::string> names;
    for (auto const& section : sections)
        for (auto const& entry : section.entries) names.insert(entry.name);
    return names;
}

/// The keys that the message about an unknown key says are accepted.
std::vector<std::string> accepted_keys(std::string const& message)
{
    std::string const begin = "accepted here: ";
    auto const at = message.find(begin);
    if (at == std::string::npos) return {};
    auto list = message.substr(at + begin.size());
    list = list.substr(0, list.find_first_of("(\n"));
    std::vector<std::string> keys;
    std::istringstream text(list);
    for (std::string key; std::getline(text, key, ',');) {
        key.erase(std::remove(key.begin(), key.end(), ' '), key.end());
        keys.push_back(key);
    }
    return keys;
}

constexpr char const* panel = "[[panel]]\nsweep = \"alpha\"\nx = \"alpha\"\n";
constexpr char const* rest =
    "[run]\n[baselines]\n[workload.arrivals]\nlaw = \"poisson\"\nrate = 1\n"
    "[workload.clock]\nd0 = 1\nd1 = 1\nd2 = 0\n";

void expect_keys_known(std::string const& experiment, std::string const& set,
                       std::string const& table)
{
    auto const names = names_of(experiment_key_sections());
    auto const message = error_of(experiment, {set + ".zzz=1"});
    auto const keys = accepted_keys(message);
    EXPECT_FALSE(keys.empty()) << set << "\n" << message;
    for (auto const& key : keys)
        EXPECT_TRUE(names.contains(table + "." + key))
            << table << "." << key << ": describe it in host/commands/experiment_keys.cc";
}

TEST(Reference, HasEveryKeyOfTheRoundModel)
{
    auto const plain = small_experiment + panel;
    for (auto const* table : {"experiment", "stop", "workload", "workload.interval"})
        expect_keys_known(plain, table, table);
    for (auto const* table : {"policy", "sweep", "panel"})
        expect_keys_known(plain, std::string(table) + ".0", table);
    auto const with_rest = small_experiment + rest;
    for (auto const* table : {"run", "workload.arrivals", "workload.clock", "baselines"})
        expect_keys_known(with_rest, table, table);
    for (auto const* policy : {"clear", "a-ladder", "a-min", "sorted-f"})
        expect_keys_known(with(small_experiment, "\"a-max\"",
                               std::string("\"") + policy +
                                   "\"\nalpha = 0.1\nbeta = 0.1\nselector = \"scaled\"\n"
                                   "levels = [1, 20]\nlearns = \"reached\""),
                          "policy.0", "policy");
}

constexpr char const* small_paths = R"toml([experiment]
name = "paths"
seed = 1
[model]
kind = "iterations"
[stop]
instances = 4
[run]
by_type = false
[workload]
horizon = 16
[workload.clock]
d0 = 550e6
d1 = 50e6
[[workload.type]]
prompt = 1
output = 1
rate = 1
[[policy]]
id = "wait"
thresholds = "least"
[[sweep]]
name = "paths"
)toml";

TEST(Reference, HasEveryKeyOfTheIterationModel)
{
    for (auto const* table : {"run", "workload", "workload.clock"})
        expect_keys_known(small_paths, table, table);
    expect_keys_known(small_paths, "workload.type.0", "workload.type");
    for (auto const* policy : {"wait", "nested-wait", "fcfs-sarathi"}) {
        auto const thresholds = std::string(policy) == "fcfs-sarathi"
                                    ? "memory = 100"
                                    : "thresholds = \"least\"\nmemory = 1000";
        auto text = with(small_paths, "\"wait\"", std::string("\"") + policy + "\"");
        text = with(text, "thresholds = \"least\"",
                    std::string(thresholds) +
                        (std::string(policy) == "nested-wait" ? "\nsegments = 1" : ""));
        expect_keys_known(text, "policy.0", "policy");
    }
}

TEST(Reference, HasEveryMeasure)
{
    for (auto const& section : reference_sections()) {
        if (section.title != "Measures") continue;
        for (auto const& entry : section.entries)
            EXPECT_TRUE(measure_named(entry.name)) << entry.name;
        EXPECT_EQ(section.entries.size(), static_cast<std::size_t>(Measure::of_requests) +
                                              request_statistic_names().size());
        return;
    }
    ADD_FAILURE() << "no section of measures";
}

TEST(Reference, LooksUpOneName)
{
    auto const found = crx_test::run_program("docs half_width");
    EXPECT_EQ(found.status, 0);
    EXPECT_TRUE(found.text.starts_with("stop.half_width (key of experiment files)\n  stop when "))
        << found.text;
    auto const typo = crx_test::run_program("docs a-mim");
    EXPECT_EQ(typo.status, 2);
    EXPECT_NE(typo.text.find("(did you mean a-min?)"), std::string::npos) << typo.text;
    // The last part of a key is a name too.
    auto const key = crx_test::run_program("docs half_widht");
    EXPECT_NE(key.text.find("(did you mean half_width?)"), std::string::npos) << key.text;
    // A value leads to the keys that take it.
    EXPECT_NE(crx_test::run_program("docs in-order").text.find("workload.output.order (key"),
              std::string::npos);
    EXPECT_NE(crx_test::run_program("docs peak-of").text.find("policy.memory (key"),
              std::string::npos);
    // Two things may have one name.
    EXPECT_NE(crx_test::run_program("docs trace").text.find("law of lengths"), std::string::npos);
}

TEST(Reference, ManualPageIsRoff)
{
    auto const page = crx_test::run_program("docs --format man", ".", false).text;
    EXPECT_TRUE(page.starts_with(".TH CRX 1\n"));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_FALSE(line.empty());
        EXPECT_FALSE(line.starts_with('\'')) << line;
        if (!line.starts_with('.')) continue;
        auto const macro = line.substr(0, line.find(' '));
        EXPECT_TRUE(std::set<std::string>({".TH", ".SH", ".SS", ".TP", ".B", ".I"}).contains(macro))
            << line;
    }
}

} // namespace
} // namespace crx
