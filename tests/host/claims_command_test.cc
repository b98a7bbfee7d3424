#include "tests/host/run_program.hh"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// `crx claims`.
namespace crx {
namespace {

std::string run_claims(std::string const& arguments)
{
    return crx_test::run_program("claims " + arguments).with_status();
}

void expect_has(std::string const& text, std::string const& part)
{
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(ClaimsCommand, SaysAllOfOneClaim)
{
    auto const text = run_claims("C-8.4");
    for (auto const* part : {"C-8.4  CHEN, Proposition 8.4: broken as printed\n", "  says ",
                             "  if ", "  evidence ", "claims/witnesses/chen_proposition_8_4.json",
                             "  command     crx claims C-8.4 --run\nstatus 0"})
        expect_has(text, part);
}

TEST(ClaimsCommand, ListsAPaper)
{
    auto const text = run_claims("AO");
    expect_has(text, "A-T2 ");
    EXPECT_EQ(text.find("C-3.3"), std::string::npos);
}

TEST(ClaimsCommand, TestsAnewAndWritesJson)
{
    auto const ending = crx_test::run_program("claims C-8.4 W-Ex1 C-E1 --run --json", ".", false);
    ASSERT_EQ(ending.status, 0) << ending.text;
    auto const rows = nlohmann::json::parse(ending.text);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0]["fresh_verdict"], "broken as printed");
    EXPECT_EQ(rows[0]["found"], "broken as printed");
    EXPECT_EQ(rows[0]["verdict"], "broken as printed");
    EXPECT_EQ(rows[1]["fresh_verdict"], "holds");
    EXPECT_EQ(rows[2]["fresh_verdict"], "open");
    EXPECT_EQ(rows[2]["short_form"], true);
}

TEST(ClaimsCommand, RefusesWhatItDoesNotKnow)
{
    expect_has(run_claims("C-8.5"), "claims: id = C-8.5\n  not accepted: must be a file, a folder, "
                                    "JAILLET, WANG, CHEN, AO or an id");
    expect_has(run_claims("C-8.5"), "; did you mean");
    expect_has(run_claims("C-8.5"), "status 2");
    expect_has(run_claims("--budget 3"), "--budget = 3\n  not accepted: must be given with --run");
    expect_has(run_claims("C-8.4 --markdown --run"), "given without --run and");
}

} // namespace
} // namespace crx
