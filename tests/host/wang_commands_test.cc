#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <nlohmann/json.hpp>

namespace crx_test {
namespace {

/// `crx family` and `crx reduction` end to end.
class WangCommands : public testing::Test
{
  protected:
    Ending run(std::string const& arguments) { return run_program(arguments, folder.path()); }
    nlohmann::json json_of(std::string const& arguments)
    {
        auto const ending = run(arguments + " --json");
        EXPECT_EQ(ending.status, 0) << ending.text;
        return nlohmann::json::parse(ending.text);
    }

    TemporaryFolder folder;
};

// The grouped runs are those of the written instance, request by request.
TEST_F(WangCommands, FamilyAgreesWithSimulateOnItsInstance)
{
    for (std::string const family : {"theorem-1-full", "theorem-1-fewer", "theorem-ec-1"}) {
        auto const runs =
            json_of("family --family " + family + " --memory 256 --write-instance family.csv");
        ASSERT_EQ(runs["runs"].size(), 3u);
        for (auto const& row : runs["runs"]) {
            auto const policy = row["policy"].get<std::string>();
            // The exact selector's table would be slow on thousands of requests.
            if (policy == "sorted-f" && row["requests"] > 1000) continue;
            auto const one = json_of("simulate --instance family.csv --memory 256 --policy " +
                                     policy + (policy == "sorted-f" ? " --selector exact" : ""));
            EXPECT_EQ(one["total_latency"], row["total_latency"]) << family << policy;
            EXPECT_EQ(one["n"], row["requests"]);
            EXPECT_LE(row["opt_lower_bound"], row["opt_upper_bound"]);
        }
    }
}

TEST_F(WangCommands, FamilyRefuses)
{
    EXPECT_EQ(run("family --memory 10001").text,
              "crx: command line: --memory = 10001\n"
              "  not accepted: must be k^2 with k >= 2 for family theorem-1: its counts are whole "
              "then\n");
    EXPECT_EQ(run("family --family theorem-1-fewer --memory 10201").text,
              "crx: command line: --memory = 10201\n"
              "  not accepted: must be k^4 with k >= 2 for family theorem-1-fewer: its counts are "
              "whole then\n");
    EXPECT_EQ(run("family --policy a-min").text,
              "crx: command line: --policy = a-min\n"
              "  not accepted: must be mc-sf, mc-sf-total, mc-benchmark, a-max or sorted-f (exact "
              "selector)\n");
    EXPECT_EQ(run("family --family theorem-ec-1 --memory 100000000").status, 2);
    EXPECT_EQ(run("family --family theorem-2").status, 2);
}

TEST_F(WangCommands, ReductionIsSolvedByBaseline)
{
    // 8 + 8 + 11 = 9 + 8 + 10 = 27; and numbers of sum 54 without two such triples.
    struct Case
    {
        char const* numbers;
        bool yes;
    };
    for (auto const& c : {Case{"8,9,10,8,8,11", true}, Case{"7,7,7,11,11,11", false}}) {
        auto const made = json_of(std::string("reduction 3-partition --numbers ") + c.numbers +
                                  " --output triples.csv");
        EXPECT_EQ(made["threshold"], 9);
        auto const memory = made["memory"].get<std::int64_t>();
        EXPECT_EQ(memory, 30);
        auto const solved = json_of("baseline --instance triples.csv --memory 30");
        ASSERT_TRUE(solved["optimal"]);
        EXPECT_EQ(solved["upper"] == 9, c.yes);
    }
    auto const parts = json_of("reduction partition --numbers 3,1,1,2,2,1 --output parts.csv");
    EXPECT_EQ(parts["memory"], 10);
    EXPECT_EQ(parts["threshold"], 2);
    EXPECT_EQ(run("reduction 3-partition --numbers 1,2 --output x.csv").text,
              "crx: command line: --numbers = 1,2\n"
              "  not accepted: must be 3 m numbers, m >= 1\n");
}

} // namespace
} // namespace crx_test
