#include "host/results/rank_table.hh"

#include "host/results/rank_text.hh"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace crx {
namespace {

/// Latencies of each policy, instance by instance (0: never ends), over h-sf 10, 20, 30, ..
CellResult cell_of(std::int64_t index, double w,
                   std::vector<std::vector<std::int64_t>> const& policies)
{
    CellResult cell;
    cell.index = index;
    cell.sweep = "alpha";
    cell.coordinates = {{"w", w}};
    cell.tally = Tally(policies.size());
    for (std::size_t p = 0; p < policies.size(); ++p)
        for (std::size_t i = 0; i < policies[p].size(); ++i) {
            Outcome outcome;
            outcome.total_latency = policies[p][i];
            if (policies[p][i] == 0) outcome.give_up(Unfinished::cycle);
            std::int64_t const baselines[baseline_kinds] = {10 * static_cast<std::int64_t>(i + 1)};
            cell.tally[p].sums.add(outcome, baselines, static_cast<std::int64_t>(i));
            cell.instances = static_cast<std::int64_t>(policies[p].size());
        }
    return cell;
}

StoreContents store_of(std::vector<std::string> const& labels, std::vector<CellResult> cells)
{
    StoreContents contents;
    for (auto const& label : labels) contents.header.policies.push_back({label, label});
    contents.header.baselines = {"h-sf"};
    contents.cells = std::move(cells);
    return contents;
}

std::string text_of(StoreContents const& contents, std::size_t lines = 100)
{
    return rank_text(contents, rank_tables(contents, {{}, BaselineKind::h_sf}, 0.95), 0.95, "x.db",
                     lines);
}

TEST(RankTable, OrdersTheCellsMeansAndNamesTheLargest)
{
    // Twice, once and about once the denominator; the third cannot be told from the second.
    auto const contents = store_of({"double", "same", "near"},
                                   {cell_of(0, 0.25, {{20, 40, 60}, {10, 20, 30}, {11, 19, 31}}),
                                    cell_of(1, 0.5, {{20, 40, 60}, {15, 30, 45}, {16, 28, 47}}),
                                    cell_of(2, 0.75, {{}, {}, {}})});
    EXPECT_EQ(text_of(contents),
              "sweep alpha: 2 of 3 cells, ratio of means over h-sf (schedule: upper bound on OPT), "
              "95 % intervals\n"
              "  rank  policy  mean of cells  behind the first  best in  largest, and where\n"
              "  1-2   same    1.25                             2 of 2   1.5, cell 1: w=0.5\n"
              "  1-2   near    1.27 ± 0.20    0.02 ± 0.20       0 of 2   1.52 ± 0.25, cell 1: "
              "w=0.5\n"
              "  3     double  2              0.75              0 of 2   2, cell 0: w=0.25\n"
              "  1 cell not run yet\n");
    // A cell in which a policy lacks instances is not one without any.
    auto extended = contents;
    extended.cells[1] = cell_of(1, 0.5, {{20, 40, 60}, {15, 30, 45}, {16, 28}});
    extended.cells[1].instances = 3;
    EXPECT_NE(text_of(extended).find("  1 cell not run yet\n  1 cell of which some policies have "
                                     "not run all instances yet\n"),
              std::string::npos)
        << text_of(extended);
    auto const json =
        rank_json(contents, rank_tables(contents, {{}, BaselineKind::h_sf}, 0.95), 0.95);
    EXPECT_EQ(json[0]["policies"][2]["rank"], nlohmann::ordered_json({3, 3}));
    EXPECT_EQ(json[0]["policies"][0]["largest_cell"], 1);
    EXPECT_EQ(json[0]["differences"].size(), 3u);
    EXPECT_EQ(json[0]["differences"][2]["policy"], "double");
    EXPECT_EQ(json[0]["differences"][2]["minus"], "near");
}

// What never ends in some runs is in no average there: the easy runs would look good.
TEST(RankTable, NoRankWhereRunsNeverEnd)
{
    auto const text = text_of(store_of({"lucky", "sure"}, {cell_of(4, 1, {{10, 0}, {30, 50}})}));
    EXPECT_EQ(text, "sweep alpha: 1 cell, ratio of means over h-sf (schedule: upper bound on OPT), "
                    "95 % intervals\n"
                    "  rank  policy  ratio      behind the first\n"
                    "  1     sure    2.7 ± 2.8\n"
                    "  -     lucky   1\n"
                    "  lucky: 1 of 2 runs never end and are in no average: no rank\n");
}

TEST(RankTable, ASweepALineOfWhatIsLeft)
{
    auto contents = store_of({"a"}, {});
    for (int i = 0; i < 9; ++i) {
        contents.cells.push_back(cell_of(i, 1, {{20, 40}}));
        contents.cells.back().sweep = fmt::format("s{}", i);
    }
    auto const text = text_of(contents, 7);
    EXPECT_NE(text.find("sweep s1"), std::string::npos);
    EXPECT_TRUE(text.ends_with("7 sweeps more: crx rank x.db\n")) << text;
}

/// One request an instance: latencies, and tokens, of groups 0, 1, .. of each policy.
CellResult measured_cell(std::vector<std::vector<std::int64_t>> const& latencies)
{
    auto cell = cell_of(0, 0.5, latencies);
    cell.parameters["requests"] = 1;
    for (std::size_t p = 0; p < latencies.size(); ++p)
        for (std::size_t i = 0; i < latencies[p].size(); ++i) {
            auto& group = cell.tally[p].measures.group[i];
            auto const value = latencies[p][i];
            group.value[0] = {1, value, static_cast<Unsigned128>(value), {}};
            group.value[0].histogram[histogram_bin(value)] = 1;
            group.instances = group.requests = 1;
            group.tokens = 10;
            group.time = static_cast<Unsigned128>(value);
        }
    return cell;
}

// 34 of 40 requests, all of which three groups keep: Student's interval would pass 1.
TEST(RankTable, BarsOfSharesEndAtOne)
{
    auto cell = measured_cell({{10, 50, 110, 200}});
    for (std::size_t g = 0; g < 4; ++g) {
        auto& group = cell.tally[0].measures.group[g];
        group.requests = 10;
        group.attained = g == 0 ? 4 : 10;
    }
    auto const found = measure(cell, 0, *measure_named("attainment"), BaselineKind::h_sf, 0.95);
    EXPECT_DOUBLE_EQ(found->value, 0.85);
    EXPECT_GT(*found->low, 0.3);
    EXPECT_LT(*found->low, 0.4);
    EXPECT_EQ(*found->high, 1);
}

// The second is 2 slower on every instance: latencies of different instances lie far apart, and
// only paired differences say so.
TEST(RankTable, DifferencesInMeasuresOfRequestsArePaired)
{
    auto const contents =
        store_of({"slow", "fast"}, {measured_cell({{12, 52, 112, 202}, {10, 50, 110, 200}})});
    auto const by = [&](char const* name) {
        return rank_tables(contents, {measure_named(name), BaselineKind::h_sf}, 0.95).at(0);
    };
    auto const latency = by("latency-mean");
    EXPECT_EQ(latency.policies[0].policy, 1u);
    EXPECT_DOUBLE_EQ(latency.policies[0].mean->mean, 92.5);
    EXPECT_GT(*latency.policies[0].mean->half_width, 20);
    EXPECT_DOUBLE_EQ(latency.policies[1].behind->mean, 2);
    EXPECT_NEAR(*latency.policies[1].behind->half_width, 0, 1e-9);
    EXPECT_EQ(latency.policies[1].least_rank, 2);
    // 40 tokens in 378 and 370 rounds: more is better.
    auto const throughput = by("throughput-tokens");
    EXPECT_TRUE(throughput.largest_first);
    EXPECT_EQ(throughput.policies[0].policy, 1u);
    EXPECT_LT(throughput.policies[1].behind->mean, 0);
    // Sums of totals have no pairs.
    auto const makespan = by("mean-makespan");
    EXPECT_FALSE(is_paired(makespan));
    EXPECT_NE(rank_text(contents, {makespan}, 0.95, "x.db", 100).find("differences not paired"),
              std::string::npos);
    EXPECT_EQ(rank_text(contents, {latency}, 0.95, "x.db", 100).substr(0, 66),
              "sweep alpha: 1 cell, mean latency of a request (rounds), 95 % inte");
}

} // namespace
} // namespace crx
