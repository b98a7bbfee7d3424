#include "tests/host/run_program.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include "analysis/adversary/grouped_run.hh"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace crx_test {
namespace {

class InstanceCommand : public testing::Test
{
  protected:
    Ending run(std::string const& arguments) { return run_program(arguments, folder.path()); }
    nlohmann::json json_of(std::string const& arguments)
    {
        auto const ending = run_program(arguments + " --json", folder.path(), false);
        EXPECT_EQ(ending.status, 0) << ending.text;
        return nlohmann::json::parse(ending.text);
    }

    TemporaryFolder folder;
};

// The grouped runs are those of the written instance, request by request.
TEST_F(InstanceCommand, FamilyAgreesWithSimulateOnItsInstance)
{
    for (std::string const family : {"theorem-1-full", "theorem-1-fewer", "theorem-ec-1"}) {
        auto const runs = json_of("instance " + family + " --memory 256 --output family.csv");
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

// M = 10^8 of (1, 9999), 10^12 of (10^4, 1). Sorting by s + o serves the former 10^4 at a time, in
// b = 10^4 batches of 9999 rounds. The last batch holds 10^4 (1 + j) at its time j and leaves room
// for some of the latter, which take 10,001 for one round; the rest follow, 9999 a round. By hand,
// in integers of 128 bits, as the total has 21 digits.
TEST_F(InstanceCommand, FamilyIsExactAbove64Bits)
{
    auto const runs = json_of("instance theorem-ec-1 --memory 100000000 --policy mc-sf-total");
    using Wide = unsigned __int128;
    Wide const b = 10'000, o = 9999, each = 9999;
    Wide total = b * o * (b * (b + 1) / 2), left = 1'000'000'000'000;
    for (Wide j = 1; j <= o; ++j) {
        auto const beside = (100'000'000 - 10'000 * (1 + j)) / 10'001;
        total += beside * ((b - 1) * o + j);
        left -= beside;
    }
    auto const full = left / each, rest = left % each;
    total += left * b * o + each * (full * (full + 1) / 2) + rest * (full + 1);
    std::string digits;
    for (; total > 0; total /= 10)
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(total % 10)));
    EXPECT_EQ(runs["runs"][0]["total_latency"], digits);
    EXPECT_EQ(digits.size(), 21u);
}

TEST_F(InstanceCommand, ListsWhatItKnows)
{
    auto const text = run("instance").text;
    for (auto const* const name : {"adaptive", "theorem-ec-1-full", "sorted-f-waits", "partition"})
        EXPECT_NE(text.find(std::string("\n  ") + name + " "), std::string::npos) << name;
}

TEST_F(InstanceCommand, Refuses)
{
    EXPECT_EQ(run("instance theorem-1 --memory 10001").text,
              "crx: command line: --memory = 10001\n"
              "  not accepted: must be k^2 with k >= 2 for theorem-1, at most 10^8: its counts are "
              "whole then\n");
    EXPECT_EQ(
        run("instance theorem-1-fewer --memory 10201").text,
        "crx: command line: --memory = 10201\n"
        "  not accepted: must be k^4 with k >= 2 for theorem-1-fewer, at most 10^8: its counts "
        "are whole then\n");
    EXPECT_EQ(run("instance theorem-1 --policy a-min").text,
              "crx: command line: --policy = a-min\n"
              "  not accepted: must be one of " +
                  fmt::format("{}", fmt::join(grouped_policy_ids(), ", ")) +
                  " or sorted-f (exact selector): policies that never cancel\n");
    EXPECT_EQ(grouped_policy_ids().front(), "mc-sf");
    EXPECT_EQ(run("instance adaptive --memory 400 --policy a-min").status, 2);
    EXPECT_EQ(run("instance adaptive --memory 401").status, 2);
    EXPECT_EQ(run("instance theorem-2").status, 2);
    EXPECT_EQ(run("instance 3-partition --memory 30").text,
              "crx: crx instance 3-partition: it takes no --memory\n");
    EXPECT_EQ(run("instance adaptive --numbers 1,2").status, 2);
    EXPECT_EQ(run("instance partition --numbers 1,1").text,
              "crx: crx instance partition: --output FILE is missing\n");
    EXPECT_NE(run("instance adaptive --policy mc-sf --memory 10000,40000,10000")
                  .text.find("--memory = 10000\n  not accepted: must be given once"),
              std::string::npos);
}

TEST_F(InstanceCommand, SlopesOfTheAdaptiveOneAreInOrderOfMemory)
{
    auto const slope =
        json_of("instance adaptive --policy mc-sf --memory 1000000,10000,250000,4000000")
            .at("slopes")
            .at(0);
    auto const& local = slope.at("local_slopes");
    ASSERT_EQ(local.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LT(local[i], 0.5);
        if (i > 0) {
            EXPECT_GT(local[i], local[i - 1]);
        }
    }
    EXPECT_NEAR(slope.at("corrected_slope").get<double>(), 0.5, 0.001);
    EXPECT_LT(slope.at("slope"), 0.5);
}

// As played, so that the policy meets it again.
TEST_F(InstanceCommand, WritesTheAdaptiveOneAsPlayed)
{
    auto const game =
        json_of("instance adaptive --policy mc-sf --memory 400 --output adaptive.csv")["runs"][0];
    auto const one = json_of("simulate --instance adaptive.csv --memory 400 --policy mc-sf");
    EXPECT_EQ(one["total_latency"], game["total_latency"]);
    EXPECT_EQ(one["n"], game["requests"]);
}

TEST_F(InstanceCommand, ReductionIsSolvedByBaseline)
{
    // 8 + 8 + 11 = 9 + 8 + 10 = 27; and numbers of sum 54 without two such triples.
    struct Case
    {
        char const* numbers;
        bool yes;
    };
    for (auto const& c : {Case{"8,9,10,8,8,11", true}, Case{"7,7,7,11,11,11", false}}) {
        auto const made = json_of(std::string("instance 3-partition --numbers ") + c.numbers +
                                  " --output triples.csv");
        EXPECT_EQ(made["threshold"], 9);
        auto const memory = made["memory"].get<std::int64_t>();
        EXPECT_EQ(memory, 30);
        auto const solved = json_of("baseline --instance triples.csv --memory 30");
        ASSERT_TRUE(solved["optimal"]);
        EXPECT_EQ(solved["upper"] == 9, c.yes);
    }
    auto const parts = json_of("instance partition --numbers 3,1,1,2,2,1 --output parts.csv");
    EXPECT_EQ(parts["memory"], 10);
    EXPECT_EQ(parts["threshold"], 2);
    EXPECT_EQ(run("instance 3-partition --numbers 1,2 --output x.csv").text,
              "crx: command line: --numbers = 1,2\n"
              "  not accepted: must be 3 m numbers, m >= 1\n");
}

} // namespace
} // namespace crx_test
