#include "host/sweep/refiner.hh"
#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace crx {
namespace {

using Gaps = std::vector<std::pair<double, double>>;

// Each policy's first value that falls short; those that keep it everywhere or nowhere have no gap
// inside the line. A value without runs counts as falling short.
TEST(Capacity, GapsLieWhereTheShareIsFirstPassed)
{
    auto const none = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> const loads{0.5, 0.7, 0.9, 1.1};
    EXPECT_EQ(
        gaps_of_capacity(loads, {{1, 1, 0.9}, {0.995, 1, 0.9}, {0.98, 1, 0.9}, {1, 1, 0.9}}, 0.99),
        (Gaps{{0.7, 0.9}}));
    EXPECT_EQ(gaps_of_capacity(loads, {{1, 1}, {0.5, 1}, {0.4, 0.98}, {0.3, 0.97}}, 0.99),
              (Gaps{{0.5, 0.7}, {0.7, 0.9}}));
    EXPECT_EQ(gaps_of_capacity(loads, {{1}, {none}, {0.9}, {0.8}}, 0.99), (Gaps{{0.5, 0.7}}));
    EXPECT_EQ(gaps_of_capacity({}, {}, 0.99), Gaps{});
}

constexpr char const* experiment = R"toml([experiment]
name = "capacity"
title = "Capacity"
seed = 3
[stop]
instances = 16
[capacity]
over = "offered_load"
slo = { latency = 30 }
share = 0.8
rounds = 4
[workload]
requests = 400
memory = 100
prompt = 5
output = { law = "uniform", lower = 1, upper = 20 }
arrivals = { law = "gamma", coefficient_of_variation = 2 }
[[policy]]
id = "mc-sf"
[[policy]]
id = "fcfs"
[[sweep]]
name = "load"
axes = { offered_load = [0.4, 2] }
[[panel]]
sweep = "load"
x = "offered_load"
measure = "attainment"
)toml";

// Rows say of each policy the two neighbouring loads between which the share that was measured, as
// export has it, falls below what is asked; they are 2^-4 of the grid's step apart.
TEST(Capacity, ARowAPolicyByBisection)
{
    crx_test::TemporaryFolder const folder;
    std::ofstream(folder.path() / "c.toml") << experiment;
    auto const run = [&](std::string const& arguments) {
        return crx_test::run_program(arguments, folder.path(), false);
    };
    auto const sweep = run("sweep c.toml --backend cpu --threads 1");
    ASSERT_EQ(sweep.status, 0) << sweep.text;
    auto const at = sweep.text.find("capacity in offered_load, 0.8 of requests");
    ASSERT_NE(at, std::string::npos) << sweep.text;
    std::map<std::string, std::pair<double, double>> rows;
    std::istringstream lines(sweep.text.substr(at));
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    for (int k = 0; k < 2; ++k) {
        std::string policy;
        std::pair<double, double> ends;
        lines >> policy >> ends.first >> ends.second;
        std::getline(lines, line);
        rows[policy] = ends;
    }
    ASSERT_EQ(rows.size(), 2U) << sweep.text;
    auto const exported = nlohmann::json::parse(run("export capacity.db --json").text);
    for (auto const& [policy, ends] : rows) {
        EXPECT_NEAR(ends.second - ends.first, 1.6 / 16, 1e-6) << policy;
        int seen = 0;
        for (auto const& row : exported) {
            if (row["policy"] != policy) continue;
            double const load = row["offered_load"];
            double const attained = row["request_attainment"];
            if (load <= ends.first + 1e-6) {
                EXPECT_GE(attained, 0.8) << policy << " " << load;
            }
            if (std::abs(load - ends.second) < 1e-6) {
                EXPECT_LT(attained, 0.8) << policy;
            }
            ++seen;
        }
        EXPECT_GE(seen, 6);
    }
    // The report has the same rows.
    auto const document = nlohmann::json::parse(run("panels capacity.db --json --report").text);
    auto const& table = document.at("capacity").at(0);
    EXPECT_EQ(table.at("over"), "offered_load");
    for (auto const& row : table.at("policies")) {
        auto const& [holds, fails] = rows.at(row.at("policy"));
        EXPECT_NEAR(row.at("holds_up_to"), holds, 1e-5);
        EXPECT_NEAR(row.at("fails_from"), fails, 1e-5);
    }
}

TEST(Capacity, WhatIsMissingIsNamed)
{
    crx_test::TemporaryFolder const folder;
    auto const refused = [&](std::string const& from, std::string const& to) {
        std::string text = experiment;
        text.replace(text.find(from), from.size(), to);
        std::ofstream(folder.path() / "c.toml") << text;
        auto const ending = crx_test::run_program("sweep c.toml", folder.path());
        EXPECT_EQ(ending.status, 2) << ending.text;
        return ending.text;
    };
    EXPECT_NE(refused("over = \"offered_load\"", "over = \"load\"")
                  .find("an axis of a sweep, such as offered_load"),
              std::string::npos);
    EXPECT_NE(refused("slo = { latency = 30 }\n", "").find("capacity.slo"), std::string::npos);
    EXPECT_NE(refused("share = 0.8", "share = 1.5").find("capacity.share"), std::string::npos);
    EXPECT_NE(refused("latency = 30", "latency = \"1 s\"").find("rounds"), std::string::npos);
    EXPECT_NE(refused("coefficient_of_variation = 2", "coefficient_of_variation = 20")
                  .find("coefficient_of_variation"),
              std::string::npos);
}

} // namespace
} // namespace crx
