// Every short form gives the recorded verdict, and three planted falsehoods are caught: a bound
// lowered by a hundredth, a hypothesis dropped, a verdict edited by hand.
#include "analysis/claims/registry.hh"
#include "analysis/claims/words.hh"
#include "support/sanitized.hh"

#include <ctime>
#include <gtest/gtest.h>

namespace crx::claims {
namespace {

/// The name of a test of a claim: C-5.2 becomes C_5_2.
std::string test_name(testing::TestParamInfo<std::string> const& id)
{
    auto name = id.param;
    for (auto& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

std::vector<std::string> tested_claims()
{
    std::vector<std::string> ids;
    for (auto const& claim : all_claims())
        if (claim.test != nullptr) ids.emplace_back(claim.id);
    return ids;
}

class ShortForm : public testing::TestWithParam<std::string>
{
};

TEST_P(ShortForm, GivesTheRecordedVerdict)
{
    auto const& claim = *find_claim(GetParam());
    auto const start = std::clock();
    auto const fresh = claim.test({});
    EXPECT_EQ(name_of(fresh.verdict), name_of(claim.verdict)) << fresh.figures;
    EXPECT_FALSE(fresh.figures.empty());
    // At most a minute on two cores, in processor time, which other programs do not change.
    if (!crx_test::sanitized) {
        EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 120);
    }
}

INSTANTIATE_TEST_SUITE_P(Claims, ShortForm, testing::ValuesIn(tested_claims()), test_name);

TEST(ShortForms, AreThereForEachClaimThatCanBeTested)
{
    for (auto const& claim : all_claims())
        EXPECT_TRUE(claim.test != nullptr || claim.verdict == Verdict::not_testable) << claim.id;
    EXPECT_GE(tested_claims().size(), 77u);
}

// A figure that no verdict depends on: A_l comes within a percent of its bound.
TEST(ShortForms, SaysHowNearTheoremFiveTwoComesToItsBound)
{
    auto const figures = find_claim("C-5.2")->test({}).figures;
    EXPECT_NE(figures.find("of each alpha within 0."), std::string::npos) << figures;
}

class PlantedFalsehood : public testing::TestWithParam<std::string>
{
};

TEST_P(PlantedFalsehood, BoundLoweredByAHundredthIsCaught)
{
    auto const* claim = find_claim(GetParam());
    ASSERT_NE(claim, nullptr);
    auto const fresh = claim->test({.bound_percent = 99});
    EXPECT_NE(name_of(fresh.verdict), name_of(claim->verdict)) << fresh.figures;
}

// Those whose bound is met, or nearly: identities, and inequalities with equality somewhere.
INSTANTIATE_TEST_SUITE_P(Tight, PlantedFalsehood,
                         testing::Values("J-4.1", "J-4.2", "J-B.1", "W-2", "W-EC1", "W-EC2", "W-L1",
                                         "W-4", "W-Ex1", "W-Ex2", "C-Ex3.2", "C-Ex8.2", "C-5.2",
                                         "C-5.3", "C-4.8", "C-tr", "A-3", "A-L1", "A-L2", "A-L8",
                                         "A-5.1", "J-5.2c"),
                         test_name);

TEST(PlantedFalsehoods, AHypothesisDroppedIsCaught)
{
    for (auto const* id : {"W-L2", "C-4.9", "C-tr"}) {
        auto const* claim = find_claim(id);
        auto const fresh = claim->test({.hypotheses = false});
        EXPECT_NE(name_of(fresh.verdict), name_of(claim->verdict)) << id << ": " << fresh.figures;
    }
}

// Whatever other verdict stands in the registry, the fresh one is not it.
TEST(PlantedFalsehoods, AVerdictEditedByHandIsCaught)
{
    for (auto const* id : {"C-8.4", "W-1", "J-4.3b", "A-T2", "C-3.3"}) {
        auto edited = *find_claim(id);
        edited.verdict = Verdict::holds;
        EXPECT_NE(edited.test({}).verdict, edited.verdict) << id;
    }
}

} // namespace
} // namespace crx::claims
