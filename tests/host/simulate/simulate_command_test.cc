#include "host/input/scratch_file.hh"
#include "tests/host/run_program.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

/// `crx simulate` under the affine clock.
namespace crx {
namespace {

std::string run(std::string const& arguments)
{
    return crx_test::run_program("simulate " + arguments).with_status();
}

nlohmann::json json_of(std::string const& arguments)
{
    auto const text = run(arguments + " --json");
    auto const end = text.rfind("status 0");
    EXPECT_NE(end, std::string::npos) << text;
    auto const begin = text.find('{'); // notes on columns come before
    return nlohmann::json::parse(text.substr(begin, end - begin));
}

constexpr char const* two_requests = "arrived_at,prompt,output\n0.000000100,2,3\n0.00000011,1,1\n";

// d0 = 10, d1 = 1, d2 = 0.5, d3 = 2. The first round begins at 100 with the first request, holds 3
// at its end: 10 + 3 + 1 + 2 = 16 ns. The second request came at 110, so it starts at 116 (2 tokens
// beside 4): 10 + 6 + 0 + 4 = 20, done at 136. The third round: 10 + 5 + 2 = 17, done at 153.
TEST(SimulateCommand, AffineClockByHand)
{
    ScratchFile const file(two_requests);
    auto const answer = json_of("--instance " + file.path().string() +
                                " --memory 10 --policy mc-sf --d0 10 --d1 1 --d2 0.5 --d3 2");
    EXPECT_EQ(answer["requests"][0]["start"], 100);
    EXPECT_EQ(answer["requests"][0]["completion"], 153);
    EXPECT_EQ(answer["requests"][1]["start"], 116);
    EXPECT_EQ(answer["requests"][1]["completion"], 136);
    EXPECT_EQ(answer["total_latency"], 53 + 26);
    EXPECT_EQ(answer["first_token_latency"], 16 + 26);
    EXPECT_EQ(answer["clock"]["unit"], "ns");
    EXPECT_EQ(answer["clock"]["d2"], 0.5);
}

TEST(SimulateCommand, MemoryThresholdsUnderAProfile)
{
    ScratchFile const file(two_requests);
    auto const options = "--instance " + file.path().string() + " --memory 10 --alpha 0.2 ";
    auto const protect = json_of(options + "--policy protect --clock llama2-7b-a100");
    auto const clear = json_of(options + "--policy clear --beta 0.5 --clock llama2-7b-a100");
    EXPECT_EQ(protect["total_latency"], clear["total_latency"]); // nothing overflows
    EXPECT_GT(protect["total_latency"].get<std::int64_t>(), 1'000'000);
    EXPECT_FALSE(json_of(options + "--policy protect --at-zero").contains("clock"));
    auto const without = run(options + "--policy protect");
    EXPECT_NE(without.find("rounds have no length in seconds\n  a clock gives them one"),
              std::string::npos)
        << without;
    EXPECT_NE(without.find("status 2"), std::string::npos);
}

TEST(SimulateCommand, RefusesHalfAClock)
{
    ScratchFile const file(two_requests);
    auto const options = "--instance " + file.path().string() + " --memory 10 --policy mc-sf ";
    EXPECT_NE(run(options + "--d0 5").find("--d1\n  missing: must be given"), std::string::npos)
        << run(options + "--d0 5");
    EXPECT_NE(run(options + "--clock llama").find("must be one of llama2-70b-2xa100"),
              std::string::npos);
    EXPECT_NE(run(options + "--clock llama2-7b-a100 --d3 1").find("must be left out beside --d0"),
              std::string::npos);
    EXPECT_NE(run(options + "--d0 0 --d1 1 --d2 1").find("--d0 = 0\n"), std::string::npos);
    for (auto const* wrong : {"--d0 5", "--d0 5 --d1 -1 --d2 0", "--d0 5 --d1 1 --d2 1e300"})
        EXPECT_NE(run(options + wrong).find("status 2"), std::string::npos);
}

// Options that would do nothing, and files whose kind is not known, are refused before a run.
TEST(SimulateCommand, RefusesWhatItWouldNotDo)
{
    ScratchFile const file(two_requests);
    ScratchFile const rows("", "rows.txt");
    auto const options = "--instance " + file.path().string() + " --memory 10 --policy mc-sf ";
    EXPECT_EQ(run(options + "--slo first_token=2"),
              "crx: --slo requires --summary\n  crx simulate --help says what it takes\nstatus 2");
    EXPECT_NE(run(options + "--with-timeline").find("--with-timeline requires --json"),
              std::string::npos);
    EXPECT_EQ(run(options + "--requests " + rows.path().string()),
              "crx: command line: --requests = " + rows.path().string() +
                  "\n  not accepted: must be a file of comma-separated values (.csv) or of JSON "
                  "(.json)\nstatus 2");
    EXPECT_TRUE(std::filesystem::is_empty(rows.path()));
}

// M = 10, all are admitted at 0. The first completes at 1; the two others hold 10 at 4, would hold
// 12 at 5, are cancelled together and begin again, for ever.
TEST(SimulateCommand, WhatAPolicyNeedsIsNamed)
{
    ScratchFile const file("prompt,output\n3,5\n2,7\n");
    auto const options = "--instance " + file.path().string() + " --policy ";
    std::string const selectors = "must be one of exact, exact-together, quantile, scaled, swap";
    EXPECT_EQ(run(options + "sorted-f --memory 64 --selector exakt"),
              "crx: command line: --selector = exakt\n  not accepted: " + selectors +
                  " (did you mean exact?): sorted-f needs it\nstatus 2");
    EXPECT_EQ(run(options + "sorted-f --memory 64"),
              "crx: command line: --selector\n  missing: " + selectors +
                  ": sorted-f needs it\nstatus 2");
    EXPECT_TRUE(run(options + "a-ladder --memory 64")
                    .starts_with("crx: command line: --levels\n  missing: "));
    EXPECT_EQ(run(options + "mc-sf --memory 8"),
              "crx: " + file.path().string() +
                  ":3: request 1: s + o = 2 + 7 = 9 exceeds M = 8\nstatus 2");
}

// Two of (0, 4), known in [1, 4], M = 4: a request cancelled with g tokens waits with g, or g + 1.
TEST(SimulateCommand, AMinLearnsWhatIsReachedOrExceeded)
{
    ScratchFile const file("prompt,output,lower,upper\n0,4,1,4\n0,4,1,4\n");
    auto const options = "--instance " + file.path().string() + " --memory 4 --policy ";
    EXPECT_EQ(json_of(options + "a-min")["total_latency"], 18);
    EXPECT_EQ(json_of(options + "a-min --learns reached")["total_latency"], 18);
    EXPECT_EQ(json_of(options + "a-min --learns exceeded")["total_latency"], 20);
    EXPECT_EQ(
        run(options + "mc-sf --learns exceeded"),
        "crx: command line: --learns = exceeded\n  not accepted: must be left out: mc-sf takes "
        "no learns\nstatus 2");
}

// M = 6. By prompt (1, 1) goes first; (3, 2) beside it needs 4 + 2 tokens, so both run at once.
TEST(SimulateCommand, AKeyOfOnesOwn)
{
    ScratchFile const file("prompt,output,lower,upper\n3,2,1,3\n1,1,1,5\n");
    auto const options = "--instance " + file.path().string() + " --memory 6 --policy by-key ";
    EXPECT_EQ(json_of(options + "--key prompt --plans-with output")["total_latency"], 3);
    EXPECT_EQ(json_of(options + "--key -prompt")["total_latency"], 5); // by u each runs alone
    EXPECT_EQ(
        json_of(options + "--key prompt --plans-with lower --on-overflow newest")["total_latency"],
        3);
    EXPECT_EQ(
        run(options + "--key prompt --plans-with lower"),
        "crx: " + file.path().string() +
            ": plans_with = \"lower\", request 0: it comes out as 1 and must be at least the "
            "true length, as nothing is cancelled (on_overflow), at most M - s = 3\nstatus 2");
    EXPECT_EQ(run(options + "--key 'sqrt(prompt)'"),
              "crx: command line: policy by-key.key = \"sqrt(prompt)\"\n  not accepted: must be an "
              "exact expression of a request (sqrt is not exact, or unknown: a key has min, max, "
              "abs, floor, ceil and round)\nstatus 2");
    EXPECT_NE(run(options).find("policy by-key.key\n  missing: must be"), std::string::npos);
    EXPECT_NE(run(options + "--key prompt --alpha 0.1").find("by-key takes no alpha"),
              std::string::npos);
    EXPECT_NE(run("--instance " + file.path().string() + " --memory 9 --policy mc-sf --key prompt")
                  .find("--key = prompt\n  not accepted: must be left out: mc-sf takes no key"),
              std::string::npos);
}

TEST(SimulateCommand, AProgramOfOnesOwn)
{
    ScratchFile const file("prompt,output\n3,2\n1,1\n");
    auto const options = "--instance " + file.path().string() + " --memory 6 --policy program ";
    auto const folder = std::string(CRX_SOURCE_DIR) + "/docs/policies/";
    EXPECT_EQ(json_of(options + "--command 'python3 " + folder + "protect.py'")["total_latency"],
              3);
    EXPECT_EQ(
        run(options + "--command no-such-program"),
        "crx: program no-such-program cannot be started: No such file or directory\nstatus 1");
    EXPECT_NE(run(options).find("--command\n  missing: must be given"), std::string::npos);
}

TEST(SimulateCommand, AnUnfinishedRunHasNoTimes)
{
    ScratchFile const file("prompt,output\n1,1\n1,6\n1,6\n");
    auto const options =
        "--instance " + file.path().string() + " --memory 10 --policy protect --alpha 0";
    auto const answer = json_of(options);
    EXPECT_EQ(answer["finished"], false);
    EXPECT_EQ(answer["reason"], "cycles for ever");
    for (auto const* key : {"total_latency", "makespan", "first_token_latency"}) {
        ASSERT_TRUE(answer.contains(key));
        EXPECT_TRUE(answer[key].is_null()) << key << answer[key];
    }
    EXPECT_EQ(answer["peak_memory"], 10);
    EXPECT_GT(answer["cancellations"], 0);
    EXPECT_EQ(answer["cancellations"].get<int>() * 4, answer["wasted_tokens"].get<int>());
    EXPECT_EQ(answer["requests"][0]["start"], 0);
    EXPECT_EQ(answer["requests"][0]["completion"], 1);
    for (int i : {1, 2}) {
        EXPECT_TRUE(answer["requests"][i]["start"].is_null()) << answer;
        EXPECT_TRUE(answer["requests"][i]["completion"].is_null()) << answer;
    }
    auto const text = run(options);
    for (auto const* line :
         {"protect: 3 requests, M = 10, seed 0\n", "  not finished: cycles for ever\n",
          "  completed           1 of 3\n", "  peak memory         10 of 10\n",
          "  cancellations       ", "           0          0          1             0\n",
          "           1          -          -             "})
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    EXPECT_EQ(text.find("total latency"), std::string::npos) << text;
}

TEST(SimulateCommand, NothingCanBeAdmitted)
{
    ScratchFile const file("prompt,output\n1,3\n");
    auto const options =
        "--instance " + file.path().string() + " --memory 10 --policy protect --alpha 0.9";
    auto const answer = json_of(options);
    EXPECT_EQ(answer["finished"], false);
    EXPECT_EQ(answer["reason"], "the next request can never be admitted");
    EXPECT_TRUE(answer["total_latency"].is_null());
    EXPECT_TRUE(answer["requests"][0]["start"].is_null());
    EXPECT_NE(run(options).find("protect: 1 request, M = 10"), std::string::npos) << run(options);
}

/// Throws or fails where the text is no trace in the JSON object format of the Trace Event Format,
/// as Perfetto reads it. Returns the slices.
std::vector<nlohmann::json> slices_of(std::string const& text)
{
    auto const trace = nlohmann::json::parse(text);
    EXPECT_TRUE(trace["displayTimeUnit"] == "ms" || trace["displayTimeUnit"] == "ns");
    std::vector<nlohmann::json> slices;
    std::map<std::pair<int, int>, double> until; // of each track
    for (auto const& event : trace.at("traceEvents")) {
        std::string const kind = event.at("ph");
        EXPECT_TRUE(event.at("pid").is_number_integer() && event.at("name").is_string());
        if (kind == "M") {
            EXPECT_EQ(event["name"], "process_name");
            EXPECT_TRUE(event.at("args").at("name").is_string());
            continue;
        }
        EXPECT_GE(event.at("ts").get<double>(), 0);
        if (kind == "C") {
            EXPECT_FALSE(event.at("args").empty());
            for (auto const& value : event.at("args")) EXPECT_TRUE(value.is_number());
            continue;
        }
        EXPECT_EQ(kind, "X");
        EXPECT_GE(event.at("dur").get<double>(), 0);
        // Slices of one track must not overlap in part.
        auto& end = until[{event.at("pid").get<int>(), event.at("tid").get<int>()}];
        EXPECT_GE(event["ts"].get<double>(), end);
        end = event["ts"].get<double>() + event["dur"].get<double>();
        slices.push_back(event);
    }
    return slices;
}

std::string content_of(std::filesystem::path const& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A request a slice for each of its runs; names of requests may hold anything.
TEST(SimulateCommand, TheTimelineIsATraceThatPerfettoReads)
{
    ScratchFile const file("id,arrival,prompt,output\n\"a \"\"b\"\"\",0,2,4\nb,0,2,4\n\\,1,2,2\n");
    ScratchFile const trace("");
    for (std::string const clock : {"", " --d0 1500 --d1 1 --d2 0"}) {
        auto const ending =
            run("--instance " + file.path().string() + " --memory 10 --policy fcfs --perfetto " +
                trace.path().string() + clock);
        ASSERT_NE(ending.find("status 0"), std::string::npos) << ending;
        auto const slices = slices_of(content_of(trace.path()));
        int completed = 0, cancelled = 0;
        for (auto const& slice : slices) ++(slice.at("cat") == "completed" ? completed : cancelled);
        EXPECT_EQ(completed, 3);
        EXPECT_GE(cancelled, 1);
        EXPECT_TRUE(std::ranges::any_of(
            slices, [](auto const& slice) { return slice.at("name") == "a \"b\""; }));
    }
}

// Two of (2, 4), M = 10, alpha = 0.2: in round 3 the second is cancelled with 3 tokens shown by 3;
// it starts again in round 4, and shows its fourth token by 8: a gap of 5. The first has gaps of 1.
TEST(SimulateCommand, TheLongestGapBetweenTokens)
{
    ScratchFile const file("prompt,output\n2,4\n2,4\n2,1\n");
    auto const options = "--instance " + file.path().string() +
                         " --memory 10 --policy protect --alpha 0.2 --cancels newest --summary";
    auto const summary = json_of(options);
    EXPECT_EQ(summary["longest_gap"]["max"], 5);
    EXPECT_EQ(summary["longest_gap"]["p50"], 1);
    EXPECT_EQ(summary["longest_gap"]["count"], 2); // one token has no gap
    EXPECT_NE(run(options).find("longest_gap"), std::string::npos);
}

// The last of the file first, the second beside it, the first when that is done: what is said of
// each request is its own.
TEST(SimulateCommand, AnOrderOfOnesOwnHasTheTimesOfEachRequest)
{
    ScratchFile const file("prompt,output,order\n0,2,3\n0,3,2\n0,1,1\n");
    ScratchFile const rows("", "rows.json");
    ASSERT_NE(run("--instance " + file.path().string() +
                  " --memory 3 --policy own-order --requests " + rows.path().string())
                  .find("status 0"),
              std::string::npos);
    auto const list = nlohmann::json::parse(content_of(rows.path()));
    std::vector<int> starts, first, gaps;
    for (auto const& row : list) {
        EXPECT_EQ(row["first_start"], row["last_start"]);
        starts.push_back(row["last_start"]);
        first.push_back(row["first_token"]);
        gaps.push_back(row["longest_gap"].is_null() ? -1 : row["longest_gap"].get<int>());
    }
    EXPECT_EQ(starts, (std::vector{3, 0, 0}));
    EXPECT_EQ(first, (std::vector{4, 1, 1}));
    EXPECT_EQ(gaps, (std::vector{1, 1, -1}));
}

} // namespace
} // namespace crx
