#include "host/results/what_is_missing.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

/// A cell of which each policy has run so many instances.
CellResult cell_of(std::vector<std::uint64_t> const& runs)
{
    CellResult cell;
    cell.tally = Tally(runs.size());
    for (std::size_t p = 0; p < runs.size(); ++p) {
        cell.tally[p].sums.count = static_cast<decltype(cell.tally[p].sums.count)>(runs[p]);
        cell.instances = std::max(cell.instances, static_cast<std::int64_t>(runs[p]));
    }
    return cell;
}

StoreContents contents_of(std::string const& stop, std::vector<CellResult> cells)
{
    StoreContents contents;
    contents.header.text = "[stop]\n" + stop + "\n";
    contents.header.policies = {{"a-min", "a-min"}, {"mc-sf", "mc-sf"}};
    contents.cells = std::move(cells);
    return contents;
}

TEST(WhatIsMissing, CountsCellsByWhatTheyLack)
{
    auto contents = contents_of("instances = 20", {cell_of({20, 20}), cell_of({20, 20})});
    EXPECT_EQ(what_is_missing(contents, "a.db"), "");
    contents.cells.push_back(cell_of({0, 0}));
    contents.cells.push_back(cell_of({20, 16}));
    contents.cells.push_back(cell_of({8, 8}));
    EXPECT_EQ(what_is_missing(contents, "a.db"),
              "a.db: not complete: of 5 cells, 1 not run yet, 1 without all policies, 1 with fewer "
              "than 20 instances; crx sweep EXPERIMENT --db a.db goes on");
    // What --set said counts.
    contents.header.overrides = {"stop.instances=8"};
    contents.cells.resize(2);
    contents.cells.push_back(cell_of({8, 8}));
    EXPECT_EQ(what_is_missing(contents, "a.db"), "");
}

TEST(WhatIsMissing, ACellThatEndsAtAHalfWidthMayHaveEnough)
{
    auto contents = contents_of("instances = 20\nhalf_width = 0.1", {cell_of({16, 16})});
    EXPECT_EQ(what_is_missing(contents, "a.db"), "");
    contents.cells.push_back(cell_of({0, 0}));
    EXPECT_NE(what_is_missing(contents, "a.db").find("of 2 cells, 1 not run yet;"),
              std::string::npos);
}

} // namespace
} // namespace crx
