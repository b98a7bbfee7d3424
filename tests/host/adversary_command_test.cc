#include "tests/host/run_program.hh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// `crx adversary`.
namespace crx {
namespace {

std::string run(std::string const& arguments)
{
    return crx_test::run_program("adversary " + arguments).with_status();
}

TEST(AdversaryCommand, SlopesAreInOrderOfMemory)
{
    auto const text = run("--policy mc-sf --memory 1000000,10000,250000,4000000 --json");
    auto const end = text.rfind("status 0");
    ASSERT_NE(end, std::string::npos) << text;
    auto const slope = nlohmann::json::parse(text.substr(0, end)).at("slopes").at(0);
    auto const& local = slope.at("local_slopes");
    ASSERT_EQ(local.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LT(local[i], 0.5);
        if (i > 0) {
            EXPECT_GT(local[i], local[i - 1]);
        }
    }
    EXPECT_NEAR(slope.at("slope").get<double>(), 0.5, 0.001);
    EXPECT_LT(slope.at("plain_slope_high"), 0.5);
}

TEST(AdversaryCommand, RefusesTheSameMemoryTwice)
{
    auto const text = run("--policy mc-sf --memory 10000,40000,10000");
    EXPECT_NE(text.find("--memory = 10000\n  not accepted: must be given once"), std::string::npos)
        << text;
    EXPECT_NE(text.find("status 2"), std::string::npos);
}

} // namespace
} // namespace crx
