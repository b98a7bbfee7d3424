// The files of claims/ say all that they must, what they name is there, and docs/claims.md is
// fresh.
#include "host/evidence/claims/report.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace crx::claims {
namespace {

std::filesystem::path const root = CRX_SOURCE_DIR;

TEST(ClaimFiles, SayAllOfEachClaim)
{
    std::set<std::string> ids;
    int without_code = 0;
    for (auto const& claim : all_claims()) {
        SCOPED_TRACE(claim.id);
        EXPECT_TRUE(ids.insert(claim.id).second);
        EXPECT_EQ(claim.file.stem(), claim.id);
        for (auto const& text : {claim.paper, claim.place, claim.version, claim.evidence})
            EXPECT_FALSE(text.empty());
        EXPECT_TRUE(claim.evidence.ends_with('.'));
        without_code += std::ranges::none_of(
            claim.trials, [](Trial const& t) { return t.source.kind == "function"; });
    }
    EXPECT_GE(ids.size(), 77u);
    EXPECT_GE(without_code, 50);
}

TEST(ClaimFiles, NamePagesExperimentsAndWitnessesThatExist)
{
    std::regex const file(R"((experiments|docs)/[A-Za-z0-9_/.]+)");
    for (auto const& claim : all_claims()) {
        SCOPED_TRACE(claim.id);
        EXPECT_TRUE(claim.page.empty() || std::filesystem::exists(root / claim.page));
        EXPECT_TRUE(claim.witness.empty() ||
                    std::filesystem::exists(root / "claims/witnesses" / claim.witness));
        for (std::sregex_iterator it(claim.command.begin(), claim.command.end(), file), end;
             it != end; ++it)
            EXPECT_TRUE(std::filesystem::exists(root / it->str())) << it->str();
    }
}

std::string page()
{
    std::ifstream stream(root / "docs/claims.md");
    return {std::istreambuf_iterator<char>(stream), {}};
}

// The page ends with what `crx claims --markdown` prints.
TEST(ClaimsPage, IsFresh)
{
    auto const list = claims_list(all_claims());
    if (page().ends_with(list)) return;
    auto const start = page().find("## JAILLET\n");
    ASSERT_NE(start, std::string::npos);
    std::ofstream("claims.md.new") << page().substr(0, start) << list;
    ADD_FAILURE() << "docs/claims.md is stale: take " << std::filesystem::absolute("claims.md.new");
}

TEST(ClaimsPage, NamesEveryKindOfSourceAndVerdict)
{
    auto const text = page();
    for (auto const verdict : all_verdicts())
        EXPECT_NE(text.find("\n- " + std::string(name_of(verdict)) + ": "), std::string::npos);
    for (auto const* kind : {"experiment", "instance", "random", "search", "witness", "function"})
        EXPECT_NE(text.find("\n- `" + std::string(kind) + " = "), std::string::npos) << kind;
}

TEST(ClaimsPage, BreaksLinesOfProse)
{
    EXPECT_EQ(wrapped("one two three", 7, "  "), "one two\n  three");
    EXPECT_EQ(wrapped("one two", 7, "", 3), "one\ntwo");
    std::istringstream lines(claims_list(all_claims()));
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
    std::istringstream lines(claims_list(all_claims()));
    std::string before;
    for (std::string line; std::getline(lines, line); before = line) {
        auto const in_list = before.starts_with("- ") || before.starts_with("  ");
        EXPECT_FALSE(!before.empty() && !in_list && std::regex_match(line, markup)) << line;
    }
}

} // namespace
} // namespace crx::claims
