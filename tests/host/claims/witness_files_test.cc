// claims/witnesses/: each file is of a claim that names it (docs/witnesses.md has the format). That
// it breaks the claim by the oracle's rules, WitnessCommand.AcceptsEveryFileOfTheProject sees.
#include "host/evidence/claims/claim.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx::claims {
namespace {

using Json = nlohmann::json;

std::filesystem::path const witnesses = CRX_SOURCE_DIR "/claims/witnesses";

TEST(WitnessFiles, EachIsOfAClaimThatNamesIt)
{
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(witnesses)) {
        SCOPED_TRACE(entry.path().filename());
        std::ifstream stream(entry.path());
        auto const witness = Json::parse(stream);
        EXPECT_TRUE(witness.contains("bound"));
        auto const claim =
            std::ranges::find(all_claims(), witness.at("claim").get<std::string>(), &Claim::id);
        ASSERT_NE(claim, all_claims().end());
        EXPECT_FALSE(claim->witness.empty()) << "the claim names no witness";
        ++files;
    }
    EXPECT_GE(files, 16);
}

// A claim that is broken by a law or a limit says so in docs/witnesses.md.
TEST(WitnessFiles, OrAReasonAreThereForEveryBrokenClaim)
{
    std::ifstream stream(CRX_SOURCE_DIR "/docs/witnesses.md");
    std::string const page{std::istreambuf_iterator<char>(stream), {}};
    for (auto const& claim : all_claims()) {
        auto const row = page.find("\n| " + claim.id + " |") != std::string::npos;
        EXPECT_EQ(row, claim.verdict == Verdict::broken && claim.witness.empty()) << claim.id;
    }
}

TEST(WitnessFiles, AreThereWhereAClaimNamesOne)
{
    for (auto const& claim : all_claims())
        EXPECT_TRUE(claim.witness.empty() || std::filesystem::exists(witnesses / claim.witness))
            << claim.id;
}

} // namespace
} // namespace crx::claims
