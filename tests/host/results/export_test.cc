#include "host/output_file.hh"
#include "tests/host/sweep/fake_experiment.hh"

#include <fstream>

namespace crx_test {
namespace {

StoreContents one_cell(Tally const& tally)
{
    StoreContents contents;
    contents.header = fake_header();
    contents.header.baselines = {"h-sf"};
    contents.header.policies = {{"a-max", "a-max, \"x\""}};
    CellResult cell;
    cell.sweep = "s";
    cell.coordinates = {{"w", 0.1}};
    cell.parameters = {{"w", 0.1}, {"alpha", 0.5}, {"policy", 3}};
    cell.instances = tally[0].sums.count + tally[0].sums.unfinished;
    cell.tally = tally;
    contents.cells.push_back(cell);
    return contents;
}

// Total latencies 3 and 5 over 2 and 4: ratios 3/2 and 5/4.
TEST(Export, RowByHand)
{
    Tally tally(1);
    std::int64_t instance = 0;
    for (auto const& [latency, base] : {std::pair<std::int64_t, std::int64_t>{3, 2}, {5, 4}}) {
        Outcome outcome{latency, 7, 9, 1, 2, 3, 1, Unfinished::none, latency - 1};
        std::int64_t const baselines[baseline_kinds] = {base, 0};
        tally[0].sums.add(outcome, baselines, instance++);
        ++tally[0].histogram[0][histogram_bin(fixed_ratio(latency, base))];
    }
    Outcome for_ever;
    for_ever.give_up(Unfinished::cycle);
    tally[0].sums.add(for_ever, nullptr, instance);
    auto const text = to_csv(make_export(one_cell(tally), 0.95));
    auto const split = text.find('\n');
    EXPECT_EQ(text.substr(0, split),
              "sweep,cell,w,alpha,parameter_policy,policy,baseline,denominator,instances,"
              "unfinished,mean_of_ratios,mean_of_ratios_low,mean_of_ratios_high,ratio_deviation,"
              "ratio_of_means,ratio_of_means_low,ratio_of_means_high,min_ratio,min_instance,"
              "max_ratio,max_instance,p01,p50,p99,mean_latency,mean_makespan,mean_cancellations,"
              "mean_wasted_tokens,peak_memory,latency_sum,baseline_sum,makespan_sum,"
              "cancellations_sum,wasted_tokens_sum,mean_latency_low,mean_latency_high,"
              "mean_first_token,first_token_sum,unfinished_cycle,unfinished_round_cap,"
              "unfinished_blocked,unfinished_out_of_range,mean_first_token_low,"
              "mean_first_token_high,mean_makespan_low,mean_makespan_high,divided,seed,commit,"
              "time_unit,sum_time_unit,memory_unit,confidence,different_ratios,ratios_off_mode,"
              "largest_five_share");
    auto const row = text.substr(split + 1);
    EXPECT_EQ(row.find("s,0,0.1,0.5,3,\"a-max, \"\"x\"\"\",h-sf,schedule: upper bound on OPT,"
                       "3,1,1.375,"),
              0u)
        << row;
    EXPECT_NE(row.find(",1.25,1,1.5,0,"), std::string::npos) << row;
    // The interval of the mean latency: 4 -/+ 12.706 sqrt(2) / sqrt(2).
    EXPECT_NE(row.find(",4,7,1,2,9,8,6,14,2,4,-8.706"), std::string::npos) << row;
    EXPECT_NE(row.find(",3,6,1,0,0,0,"), std::string::npos) << row;
}

TEST(Export, OneInstanceHasNoIntervalAndNoneHasNothing)
{
    Tally tally(1);
    EXPECT_NE(to_csv(make_export(one_cell(tally), 0.95))
                  .find("OPT,0,0,,,,,,,,,,,,,,,,,,,,0,0,0,0,0,,,,0,0,0,0,0,,,,,0,1,,rounds,rounds,"
                        "tokens,0.95,,,\n"),
              std::string::npos)
        << to_csv(make_export(one_cell(tally), 0.95));
    std::int64_t const baselines[baseline_kinds] = {2, 0};
    tally[0].sums.add(Outcome{4, 1, 1, 0, 0, 0, 1, Unfinished::none, 4}, baselines, 0);
    ++tally[0].histogram[0][histogram_bin(fixed_ratio(4, 2))];
    EXPECT_NE(
        to_csv(make_export(one_cell(tally), 0.95)).find("OPT,1,0,2,,,,2,,,2,0,2,0,2,2,2,4,1,"),
        std::string::npos)
        << to_csv(make_export(one_cell(tally), 0.95));
}

// Who made a row, and what its numbers are of.
TEST(Export, RowsHaveSeedCommitAndUnits)
{
    auto contents = one_cell(Tally(1));
    contents.header.seed = 18446744073709551615u;
    contents.cells[0].commits = {"abc", "def-dirty"};
    contents.cells[0].parameters["d0"] = 5;
    auto const text = to_csv(make_export(contents, 0.95));
    EXPECT_TRUE(text.ends_with(
        ",18446744073709551615,abc; def-dirty,nanoseconds,nanoseconds,tokens,0.95,,,\n"))
        << text;
}

TEST(Export, CommitsAreThoseOfTheCellsChunks)
{
    TemporaryFolder const folder;
    run_fake(folder / "a.db", fake_plan(2));
    for (auto const& cell : read_store(folder / "a.db").cells) EXPECT_EQ(cell.commits.size(), 1u);
}

TEST(Export, OrderIsThatOfNumbersNotOfExecution)
{
    TemporaryFolder const folder;
    run_fake(folder / "a.db", fake_plan(2, 1));
    std::vector<double> n;
    std::string last_sweep;
    for (auto const& cell : read_store(folder / "a.db").cells) {
        EXPECT_FALSE(last_sweep == "second" && cell.sweep == "first");
        last_sweep = cell.sweep;
        if (cell.sweep == "second") n.push_back(cell.coordinates[0].second);
    }
    EXPECT_EQ(n, (std::vector<double>{2, 9, 10}));
}

TEST(Export, JsonHoldsTheSameRows)
{
    TemporaryFolder const folder;
    run_fake(folder / "a.db", fake_plan(2));
    auto const table = make_export(read_store(folder / "a.db"), 0.95);
    auto const text = to_json(table);
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
              table.rows.size() + 2);
    EXPECT_NE(text.find("\"latency_sum\":\""), std::string::npos);
    EXPECT_NE(text.find("\"w\":null"), std::string::npos); // the other sweep has no such axis
}

TEST(OutputFile, AllOrNothing)
{
    TemporaryFolder const folder;
    auto const read = [](std::filesystem::path const& file) {
        std::ifstream in(file);
        return std::string{std::istreambuf_iterator<char>(in), {}};
    };
    auto const file = folder / "a.csv";
    write_file(file, "one\n");
    write_file(file, "two\n");
    EXPECT_EQ(read(file), "two\n");
    std::filesystem::create_symlink(file, folder / "link.csv");
    write_file(folder / "link.csv", "three\n");
    EXPECT_EQ(read(file), "three\n");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
    EXPECT_THROW(write_file("/dev/full", "x"), RunError);
    EXPECT_THROW(write_file(folder / "no/a.csv", "x"), InputError);
    EXPECT_THROW(write_file(folder.path(), "x"), InputError);
}

TEST(Export, EveryColumnIsDescribed)
{
    std::ifstream in(std::string(CRX_SOURCE_DIR) + "/docs/store.md");
    std::string const all{std::istreambuf_iterator<char>(in), {}};
    auto const page = all.substr(all.find("## What `crx export` prints"));
    auto contents = one_cell(Tally(1));
    contents.cells[0].coordinates.clear();
    contents.cells[0].parameters.clear();
    for (auto const& column : make_export(contents, 0.95).columns) {
        auto name = column;
        // Both ends of an interval stand behind its middle as `_low`, `_high`.
        for (std::string const end : {"_low", "_high"})
            if (name.ends_with(end)) name.resize(name.size() - end.size());
        EXPECT_TRUE(page.find("`" + name + "`") != std::string::npos ||
                    page.find("`" + column + "`") != std::string::npos)
            << column;
    }
}

} // namespace
} // namespace crx_test
