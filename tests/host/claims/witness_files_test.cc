// claims/witnesses/: each file breaks the claim that it names, by the oracle's rules alone
// (docs/witnesses.md has the format).
#include "host/evidence/claims/claim.hh"
#include "oracle/witness/witness.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx::claims {
namespace {

using Json = nlohmann::json;

std::filesystem::path const witnesses = CRX_SOURCE_DIR "/claims/witnesses";

TEST(WitnessFiles, EachBreaksItsClaimByTheOracle)
{
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(witnesses)) {
        SCOPED_TRACE(entry.path().filename());
        std::ifstream stream(entry.path());
        std::string const text{std::istreambuf_iterator<char>(stream), {}};
        auto const verdict = oracle::check_file(text, 20'000'000);
        EXPECT_TRUE(verdict.holds) << verdict.text;
        auto const witness = Json::parse(text);
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
