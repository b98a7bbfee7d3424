#include "host/commands/report_parts.hh"

#include <algorithm>
#include <gtest/gtest.h>

/// Which claims a report lists.
namespace crx {
namespace {

std::vector<std::string> touched(std::string const& name, std::string const& title,
                                 std::vector<std::string> const& curves = {})
{
    StoreContents contents;
    contents.header.name = name;
    StoredPanels experiment;
    experiment.title = title;
    Panel panel;
    panel.curves = curves;
    experiment.panels = {panel};
    std::vector<std::string> ids;
    for (auto const& claim : touched_claims(contents, experiment)) {
        EXPECT_FALSE(claim.why.empty());
        ids.emplace_back(claim.claim->id);
    }
    return ids;
}

bool has(std::vector<std::string> const& ids, std::string const& id)
{
    return std::ranges::find(ids, id) != ids.end();
}

TEST(TouchedClaims, AreThoseOfTheExperimentsName)
{
    auto const ids = touched("chen_theorem_5_2", "");
    EXPECT_TRUE(has(ids, "C-5.2"));
    EXPECT_FALSE(has(ids, "C-5.1"));
}

TEST(TouchedClaims, AreThoseWhoseCommandRunsIt)
{
    auto const ids = touched("ao_heavy_traffic", "Anything");
    EXPECT_FALSE(ids.empty());
    EXPECT_TRUE(std::ranges::all_of(ids, [](auto const& id) { return id.starts_with("A-"); }));
}

TEST(TouchedClaims, AreThoseOfATitleAndOfCurves)
{
    EXPECT_TRUE(has(touched("mine", "CHEN Theorem 5.2 once more"), "C-5.2"));
    EXPECT_FALSE(has(touched("mine", "Theorem 5.2 of nobody"), "C-5.2"));
    EXPECT_FALSE(has(touched("mine", "CHEN Theorem 5"), "C-5.2"));
    EXPECT_TRUE(has(touched("mine", "", {"chen-5.1"}), "C-5.1"));
    EXPECT_TRUE(touched("mine", "A title of one's own", {"log-bound"}).empty());
    EXPECT_TRUE(touched("", "").empty());
    // Lists, on both sides: the claim is on "Figures 7, 8, 11 to 14 .. and 16 to 18".
    auto const figures = [](char const* title) {
        return std::ranges::any_of(touched("mine", title),
                                   [](auto const& id) { return id.starts_with("A-"); });
    };
    EXPECT_TRUE(figures("AO Figure 7, low demand"));
    EXPECT_TRUE(figures("AO Figures 2 and 12"));
    EXPECT_FALSE(figures("AO Figure 9"));
    EXPECT_FALSE(figures("AO Figure 15"));
}

} // namespace
} // namespace crx
