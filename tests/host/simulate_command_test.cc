#include "host/input/scratch_file.hh"
#include "tests/host/run_program.hh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
    EXPECT_FALSE(json_of(options + "--policy protect").contains("clock"));
}

TEST(SimulateCommand, RefusesHalfAClock)
{
    ScratchFile const file(two_requests);
    auto const options = "--instance " + file.path().string() + " --memory 10 --policy mc-sf ";
    EXPECT_NE(run(options + "--d0 5").find("--d1 = nothing\n  not accepted: must be given"),
              std::string::npos)
        << run(options + "--d0 5");
    EXPECT_NE(run(options + "--clock llama").find("must be one of llama2-70b-2xa100"),
              std::string::npos);
    EXPECT_NE(run(options + "--clock llama2-7b-a100 --d3 1").find("must be left out beside --d0"),
              std::string::npos);
    EXPECT_NE(run(options + "--d0 0 --d1 1 --d2 1").find("--d0 = 0\n"), std::string::npos);
    for (auto const* wrong : {"--d0 5", "--d0 5 --d1 -1 --d2 0", "--d0 5 --d1 1 --d2 1e300"})
        EXPECT_NE(run(options + wrong).find("status 2"), std::string::npos);
}

} // namespace
} // namespace crx
