#include "support/temporary_folder.hh"
#include "tests/host/run_program.hh"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

/// `crx iterate` with latencies by type.
namespace crx {
namespace {

struct IterateCommand : testing::Test
{
    IterateCommand()
    {
        std::ofstream(folder / "x.toml")
            << "[machine]\nd0 = 0.55\nd1 = 0.05\n"
               "[[type]]\nprompt = 1\noutput = 1\nrate = 1\n"
               "[[type]]\nprompt = 1\noutput = 2\nrate = 1\n"
               "[run]\npaths = 40\nhorizon = 32\ndoublings = 1\n"
               "[[policy]]\nid = 'wait'\nlabel = 'WAIT, \"both\"'\nthresholds = 'inside'\n"
               "[[policy]]\nid = 'fcfs-vllm'\nmemory = 40\n";
    }
    crx_test::Ending run(std::string const& options) const
    {
        return crx_test::run_program("iterate x.toml " + options, folder.path());
    }
    std::vector<std::vector<std::string>> table(std::string const& name) const
    {
        std::ifstream in(folder / name);
        std::vector<std::vector<std::string>> rows;
        for (std::string line; std::getline(in, line);) {
            rows.emplace_back();
            std::string cell;
            bool quoted = false;
            for (char const c : line + ",") {
                if (c == '"') quoted = !quoted;
                if (c == ',' && !quoted) {
                    rows.back().push_back(cell);
                    cell.clear();
                } else {
                    cell += c;
                }
            }
        }
        return rows;
    }
    crx_test::TemporaryFolder folder;
};

// Weighted by arrivals, the means of the types are those of the whole table within what paths with
// unlike numbers of arrivals make of it; what is read again from the store is the same.
TEST_F(IterateCommand, WritesLatenciesByType)
{
    auto const first = run("-o all.csv --by-type types.csv");
    ASSERT_EQ(first.status, 0) << first.text;
    auto const types = table("types.csv"), all = table("all.csv");
    ASSERT_EQ(types.size(), 1u + 2 * 2 * 2);
    EXPECT_EQ(types[0][10], "latency_s");
    EXPECT_EQ(types[1][0], "\"WAIT, \"\"both\"\"\"");
    for (std::size_t row = 1; row < all.size(); ++row) {
        double sum = 0, arrivals = 0;
        for (std::size_t j = 0; j < 2; ++j) {
            auto const& type = types[2 * row - 1 + j];
            EXPECT_EQ(type[2], all[row][2]);
            EXPECT_EQ(type[4], std::to_string(j));
            sum += std::stod(type[8]) * std::stod(type[10]);
            arrivals += std::stod(type[8]);
        }
        EXPECT_NEAR(sum / arrivals, std::stod(all[row][10]), 0.05 * std::stod(all[row][10]));
    }
    auto const again = run("-o all.csv --by-type again.csv");
    EXPECT_NE(again.text.find("40 of 40 paths from x.db"), std::string::npos) << again.text;
    EXPECT_EQ(table("again.csv"), types);
    // Without types the same paths are another cell, and the table is the same.
    EXPECT_EQ(run("-o totals.csv").text.find("paths from"), std::string::npos);
    EXPECT_EQ(table("totals.csv"), all);
}

TEST_F(IterateCommand, HasTheTypesInItsJson)
{
    auto const answer =
        crx_test::run_program("iterate x.toml --json --set run.by_type=true", folder.path(), false);
    ASSERT_EQ(answer.status, 0);
    auto const json = nlohmann::json::parse(answer.text);
    EXPECT_EQ(json.at("types").at(1).at("output"), 2);
    auto const& point = json.at("policies").at(0).at("points").at(1);
    EXPECT_GT(point.at("types").at(0).at("latency").at("mean"), 1);
    EXPECT_EQ(point.at("types").size(), 2u);
}

TEST_F(IterateCommand, RefusesAPlaceThatIsNotThere)
{
    auto const answer = run("--by-type nowhere/types.csv");
    EXPECT_EQ(answer.status, 2) << answer.text;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.db"));
}

} // namespace
} // namespace crx
