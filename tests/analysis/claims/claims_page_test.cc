// The registry is complete, its page is fresh, and what it names is there.
#include "analysis/claims/page.hh"
#include "analysis/claims/registry.hh"
#include "analysis/claims/words.hh"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace crx::claims {
namespace {

std::filesystem::path const root = CRX_SOURCE_DIR;

TEST(ClaimsRegistry, SaysAllOfEachClaimOnce)
{
    std::set<std::string_view> ids;
    for (auto const& claim : all_claims()) {
        SCOPED_TRACE(claim.id);
        EXPECT_TRUE(ids.insert(claim.id).second);
        for (auto const text : {claim.place, claim.statement, claim.evidence, claim.command})
            EXPECT_FALSE(text.empty());
        EXPECT_TRUE(claim.statement.ends_with('.'));
        EXPECT_TRUE(claim.evidence.ends_with('.'));
        for (auto const& h : claim.hypotheses) EXPECT_FALSE(h.text.empty());
        auto const has_proof =
            claim.verdict == Verdict::proved || claim.verdict == Verdict::sharpened;
        EXPECT_FALSE(has_proof && claim.page.empty()) << "says where the proof stands";
    }
    EXPECT_GE(ids.size(), 76u);
}

TEST(ClaimsRegistry, NamesPagesAndExperimentsThatExist)
{
    std::regex const file(R"((experiments|docs)/[A-Za-z0-9_/.]+)");
    for (auto const& claim : all_claims()) {
        SCOPED_TRACE(claim.id);
        EXPECT_TRUE(claim.page.empty() || std::filesystem::exists(root / claim.page));
        auto const command = std::string(claim.command);
        for (std::sregex_iterator it(command.begin(), command.end(), file), end; it != end; ++it)
            EXPECT_TRUE(std::filesystem::exists(root / it->str())) << it->str();
    }
}

// `crx claims --markdown > docs/claims.md` makes it anew.
TEST(ClaimsPage, IsFresh)
{
    std::ifstream stream(root / "docs/claims.md");
    std::stringstream page;
    page << stream.rdbuf();
    if (page.str() == claims_page()) return;
    std::ofstream("claims.md.new") << claims_page();
    ADD_FAILURE() << "docs/claims.md is stale: crx claims --markdown > docs/claims.md, or take "
                  << std::filesystem::absolute("claims.md.new");
}

TEST(ClaimsPage, BreaksLinesOfProse)
{
    EXPECT_EQ(wrapped("one two three", 7, "  "), "one two\n  three");
    EXPECT_EQ(wrapped("one two", 7, "", 3), "one\ntwo");
    std::istringstream lines(claims_page());
    for (std::string line; std::getline(lines, line);)
        EXPECT_TRUE(line.size() <= 100 || line.starts_with('|') || line.starts_with("    "))
            << line;
}

// "a bound of x + O(1/M)" must not become a list where the line ends before the plus.
TEST(ClaimsPage, BeginsNoLineWithMarkup)
{
    EXPECT_EQ(wrapped("one + two", 4, ""), "one +\ntwo");
    EXPECT_EQ(wrapped("a one 12. two", 6, ""), "a\none 12.\ntwo");
    EXPECT_EQ(wrapped("a one > two", 6, ""), "a\none >\ntwo");
    std::regex const markup(R"((\+|-|\*|=+|\d+[.)]|>|#{1,6}) .*)");
    std::istringstream lines(claims_page());
    std::string before;
    for (std::string line; std::getline(lines, line); before = line) {
        auto const in_list = before.starts_with("- ") || before.starts_with("  ");
        EXPECT_FALSE(!before.empty() && !in_list && std::regex_match(line, markup)) << line;
    }
}

} // namespace
} // namespace crx::claims
