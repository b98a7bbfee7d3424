// Every claim's trials find the stated verdict; changes to the files are caught: bounds moved,
// hypotheses dropped, verdicts edited, trials that cannot fail.
#include "host/evidence/claims/claim.hh"
#include "tests/host/run_program.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace crx::claims {
namespace {

std::filesystem::path const folder = CRX_SOURCE_DIR "/claims";

/// The name of a test of a claim: C-5.2 becomes C_5_2.
std::string test_name(testing::TestParamInfo<std::string> const& id)
{
    auto name = id.param;
    for (auto& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

std::vector<std::string> ids()
{
    std::vector<std::string> all;
    for (auto const& claim : all_claims())
        if (!claim.trials.empty()) all.push_back(claim.id);
    return all;
}

class EachClaim : public testing::TestWithParam<std::string>
{
};

TEST_P(EachClaim, FindsTheStatedVerdict)
{
    auto const run = crx_test::run_program("claims " + GetParam() + " --run --json", ".", false);
    ASSERT_NE(run.text.find('['), std::string::npos) << run.text;
    auto const row = nlohmann::json::parse(run.text)[0];
    EXPECT_EQ(run.status, 0) << row["figures"];
    EXPECT_EQ(row["found"], row["verdict"]) << row["figures"];
    EXPECT_FALSE(row["trials"].empty());
}

INSTANTIATE_TEST_SUITE_P(Claims, EachClaim, testing::ValuesIn(ids()), test_name);

struct Change
{
    char const *id, *from, *to;
    bool refused = false; ///< before anything runs
};

void PrintTo(Change const& change, std::ostream* out)
{
    *out << change.id << ": " << change.from << " -> " << change.to;
}

class PlantedChange : public testing::TestWithParam<Change>
{
};

TEST_P(PlantedChange, IsCaught)
{
    auto const& change = GetParam();
    auto const claim = std::ranges::find(all_claims(), change.id, &Claim::id);
    ASSERT_NE(claim, all_claims().end());
    std::ifstream stream(claim->file);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    auto const replace = [&](std::string const& from, std::string const& to) {
        for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    };
    ASSERT_NE(text.find(change.from), std::string::npos) << change.from;
    replace(change.from, change.to);
    replace("../../experiments", CRX_SOURCE_DIR "/experiments");
    replace("../witnesses", (folder / "witnesses").string());
    auto const file = std::filesystem::temp_directory_path() /
                      ("planted_" + std::to_string(::getpid()) + ".toml");
    std::ofstream(file) << text;
    auto const run = crx_test::run_program("claims " + file.string() + " --run");
    std::filesystem::remove(file);
    EXPECT_EQ(run.status, change.refused ? 2 : 1) << run.text;
    if (change.refused)
        EXPECT_NE(run.text.find(file.string() + ":"), std::string::npos) << run.text;
    else
        EXPECT_NE(run.text.find("is not the stated one"), std::string::npos) << run.text;
}

INSTANTIATE_TEST_SUITE_P(
    Claims, PlantedChange,
    testing::Values(
        // Bounds moved by a hundredth.
        Change{"C-5.2", "a_ell_ratio <= chen_5_2", "a_ell_ratio <= 0.98 * chen_5_2"},
        Change{"C-5.3", "chen_5_3 <= 14 / 9", "chen_5_3 <= 0.99 * 14 / 9"},
        Change{"C-tr", "slack = 1e-11\nexpect = \"trace == harmonic\"",
               "slack = 1e-11\nexpect = \"trace == 0.99 * harmonic\""},
        Change{"C-4.8", "of_matrices == of_lemma", "of_matrices == 1.01 * of_lemma"},
        Change{"C-Ex3.2", "a_max == 9", "a_max == 9.09"},
        Change{"C-Ex8.2", "optimum == 12", "optimum == 11.88"},
        Change{"W-Ex1", "mc_sf == 64", "mc_sf == 63.36"},
        Change{"J-4.2", "looks <= 2 * M ^ 2", "looks <= 0.01 * M ^ 2"},
        Change{"J-B.1", "left_side_difference <= 0", "left_side_difference <= -0.01"},
        Change{"W-L2", "group_growth_swap < 1", "group_growth_swap < 0.6"},
        Change{"W-L2", "group_growth_quantile < 1", "group_growth_quantile < 0.6"},
        Change{"W-4", "sorted_f <= separate", "sorted_f <= 0.99 * separate"},
        Change{"A-L8", "8 * (n", "8.08 * (n"},
        Change{"J-4.1", "difference_from_formula == 0", "difference_from_formula == 0.01"},
        Change{"W-EC2", "makespan == 2", "makespan == 2.02"},
        // Hypotheses dropped.
        Change{"W-L2", "where = \"lemma_1_kept_swap\"", "where = \"1\""},
        Change{"W-L2", "where = \"lemma_1_kept_quantile\"", "where = \"1\""},
        Change{"C-A13", "equal = [1]", "equal = [0, 1]"},
        Change{"C-4.9", "u = [2, 5, 10, 40, 120, 250] }", "u = [2, 5], s = [3] }"},
        // Verdicts edited.
        Change{"C-8.4", "verdict = \"broken as printed\"", "verdict = \"broken\""},
        Change{"W-1", "verdict = \"broken as printed\"", "verdict = \"holds\""},
        Change{"J-4.3b", "verdict = \"sharpened\"", "verdict = \"proved\""},
        Change{"C-3.3", "verdict = \"broken in some readings\"", "verdict = \"open\""},
        Change{"C-6", "verdict = \"broken\"", "verdict = \"holds\""},
        // Trials that cannot fail.
        Change{"C-Ex3.2", "a_max == 9", "9 == 9", true},
        Change{"C-Ex3.2", "a_max == 9", "a_max == a_max", true},
        Change{"C-Ex3.2", "a_max == 9", "a_max >= 0", true},
        Change{"C-Ex3.2", "a_max == 9", "a_max <= 1e300", true},
        Change{"C-Ex3.2", "a_max == 9", "a_max <= a_max + 1", true},
        Change{"C-Ex3.2", "a_max == 9", "a_max * 0 <= 1", true},
        Change{"C-Ex3.2", "a_max == 9", "a_max - a_max <= 0", true},
        Change{"C-5.2", "a_ell_ratio <= chen_5_2", "a_ell_unfinished <= 1", true},
        Change{"C-Ex3.2", "a_max == 9", "a_max", true},
        Change{"C-3.3", "cells = \"lower == 32 && r == 4\"", "cells = \"lower == 33\"", true},
        Change{"C-5.2", "where = \"alpha <= 0.5\"", "where = \"alpha > 1\"", true},
        Change{"C-Ex3.2", "expect = \"a_max == 9\"", "expects = \"a_max == 9\"", true},
        Change{"C-Ex3.2", "a_max == 9", "a_mx == 9", true}));

// The example of docs/claims.md.
TEST(OwnTheorem, WithAWrongConstantIsBroken)
{
    auto const file =
        std::filesystem::temp_directory_path() / ("own_" + std::to_string(::getpid()) + ".toml");
    std::ifstream page(CRX_SOURCE_DIR "/docs/claims.md");
    std::string text{std::istreambuf_iterator<char>(page), {}};
    text = text.substr(text.find("```toml\n") + 8);
    text = text.substr(0, text.find("```"));
    ASSERT_EQ(text.find("id = \"mine\""), 0u);
    std::string const path = "experiment = \"";
    text.insert(text.find(path) + path.size(), CRX_SOURCE_DIR "/");
    std::ofstream(file) << text;
    auto const run = crx_test::run_program("claims " + file.string() + " --run --json", ".", false);
    std::filesystem::remove(file);
    EXPECT_EQ(run.status, 1);
    auto const row = nlohmann::json::parse(run.text.substr(0, run.text.rfind(']') + 1))[0];
    EXPECT_EQ(row["found"], "broken");
    auto const& left = row["trials"][0]["left"];
    EXPECT_LT(left["low"], left["value"]);
    EXPECT_GT(left["low"], row["trials"][0]["right"]["high"]);
}

TEST(Claims, TwoFilesWithOneIdAreRefused)
{
    auto const own = std::filesystem::temp_directory_path() / ("ids_" + std::to_string(::getpid()));
    std::filesystem::create_directory(own);
    for (auto const* name : {"a.toml", "b.toml"})
        std::ofstream(own / name)
            << "id = \"X\"\nstatement = \"It is.\"\nverdict = \"not testable\"\n";
    auto const run = crx_test::run_program("claims " + own.string());
    std::filesystem::remove_all(own);
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.text.find("one that no other file has"), std::string::npos) << run.text;
}

} // namespace
} // namespace crx::claims
