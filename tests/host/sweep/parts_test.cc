#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/statistics/summary.hh"
#include "fake_experiment.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/refiner.hh"
#include "host/sweep/stopping.hh"

namespace crx_test {
namespace {

std::string text_of(std::vector<InstanceRange> const& ranges)
{
    std::string text;
    for (auto const& range : ranges)
        text += fmt::format("[{},{})", range.first, range.first + range.count);
    return text;
}

TEST(Ranges, Uncovered)
{
    EXPECT_EQ(text_of(uncovered({}, 0)), "");
    EXPECT_EQ(text_of(uncovered({}, 5)), "[0,5)");
    EXPECT_EQ(text_of(uncovered({{0, 5}}, 5)), "");
    EXPECT_EQ(text_of(uncovered({{0, 5}}, 3)), "");
    EXPECT_EQ(text_of(uncovered({{2, 1}, {3, 1}, {6, 10}}, 9)), "[0,2)[4,6)");
    EXPECT_EQ(text_of(uncovered({{2, 1}, {20, 5}}, 9)), "[0,2)[3,9)");
}

TEST(Stopping, CheckpointsDoubleUpToTheTarget)
{
    StopRule stop;
    stop.instances = 100;
    EXPECT_EQ(next_checkpoint(stop, 0), 100);
    stop.half_width = 0.1;
    stop.first = 16;
    for (auto const& [reached, expected] :
         {std::pair{0, 16}, {16, 16}, {17, 32}, {33, 64}, {65, 100}, {100, 100}, {5000, 100}})
        EXPECT_EQ(next_checkpoint(stop, reached), expected) << reached;
    stop.first = 1000;
    EXPECT_EQ(next_checkpoint(stop, 0), 100);
    stop.instances = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(next_checkpoint(stop, stop.instances), stop.instances); // no overflow on the way
}

TEST(Stopping, EveryPolicyAndBaselineMustBePrecise)
{
    StopRule stop;
    stop.instances = 1000;
    auto const cell = fake_plan(1).make_cell("second", {{"n", 2}}).cell;
    auto const tally = fake_launch(cell, {0, 1000});
    auto const unasked = []() -> std::shared_ptr<Cell const> {
        throw std::logic_error("ratios differ: no cell is needed");
    };
    std::vector<BaselineKind> const both = {BaselineKind::h_sf, BaselineKind::volume};
    EXPECT_TRUE(precise_enough(stop, both, tally, unasked));
    stop.half_width = 1;
    EXPECT_TRUE(precise_enough(stop, both, tally, unasked));
    EXPECT_FALSE(precise_enough(stop, both, fake_launch(cell, {0, 1}), unasked)); // no interval yet
    EXPECT_FALSE(precise_enough(stop, both, Tally(2), unasked));
    auto mixed = tally;
    mixed[1] = fake_launch(cell, {0, 1})[1];
    EXPECT_FALSE(precise_enough(stop, both, mixed, unasked));
    stop.half_width = 1e-6;
    EXPECT_FALSE(precise_enough(stop, both, tally, unasked));
}

// To the last bit: an interval a little too wide is not enough.
TEST(Stopping, ThePrecisionAskedForIsTheLimit)
{
    StopRule stop;
    stop.instances = 1000;
    auto const cell = fake_plan(1).make_cell("second", {{"n", 2}}).cell;
    auto const tally = fake_launch(cell, {0, 1000});
    auto const unasked = []() -> std::shared_ptr<Cell const> {
        throw std::logic_error("no cell is needed");
    };
    std::vector<BaselineKind> const both = {BaselineKind::h_sf, BaselineKind::volume};
    double widest = 0;
    for (auto const& policy : tally)
        for (auto const kind : both)
            widest = std::max(widest,
                              *summarise(policy, kind, stop.confidence).mean_of_ratios->half_width);
    stop.half_width = widest;
    EXPECT_TRUE(precise_enough(stop, both, tally, unasked));
    stop.half_width = std::nextafter(widest, 0);
    EXPECT_FALSE(precise_enough(stop, both, tally, unasked));
}

TEST(Stopping, ThePrecisionOfPathsAskedForIsTheLimit)
{
    PathSums paths(1);
    for (std::int64_t path = 0; path < 500; ++path) {
        IterationTally t;
        t.until = 1'000'000'000;
        t.arrivals = t.completed = t.first_tokens = 10;
        t.completion_time = static_cast<Unsigned128>(50'000'000 + 1'000'003 * path % 7'000'001);
        paths[0].push_back({path, {t}, {}});
    }
    StopRule stop;
    auto const latency = [&] {
        fluid::Paths tallies;
        for (auto const& path : paths[0]) tallies.push_back({path.tallies.back()});
        return fluid::horizon_point(tallies, 0, stop.confidence).latency;
    }();
    stop.half_width = 1.01 * latency.half_width / latency.mean;
    EXPECT_TRUE(precise_enough(stop, paths));
    stop.half_width = 0.99 * latency.half_width / latency.mean;
    EXPECT_FALSE(precise_enough(stop, paths));
}

TEST(AxisScale, ComparesRatiosWithDifferences)
{
    EXPECT_EQ(scale_of({1, 2, 3, 4}), AxisScale::linear);
    EXPECT_EQ(scale_of({1, 2, 4, 8}), AxisScale::logarithmic);
    EXPECT_EQ(scale_of({0.1, 0.2, 0.5, 1}), AxisScale::logarithmic);
    EXPECT_EQ(scale_of({0, 1, 10, 100}), AxisScale::linear);
    EXPECT_EQ(scale_of({-1, 1, 3}), AxisScale::linear);
    EXPECT_EQ(scale_of({1, 100}), AxisScale::linear);
    EXPECT_EQ(scale_of({}), AxisScale::linear);
    EXPECT_EQ(midpoint(AxisScale::linear, 1, 4), 2.5);
    EXPECT_EQ(midpoint(AxisScale::logarithmic, 1, 4), 2);
}

/// One policy with one instance of this ratio, in hundredths; 0: unfinished.
Tally one_ratio(std::int64_t hundredths)
{
    Outcome outcome;
    outcome.total_latency = hundredths;
    outcome.finished = hundredths > 0 ? 1 : 0;
    std::int64_t const baselines[baseline_kinds] = {100, 0};
    Tally tally(1);
    tally[0].sums.add(outcome, baselines, 0);
    return tally;
}
LineCell line_cell(double value, std::int64_t hundredths)
{
    return {value, {sum_of_ratios(one_ratio(hundredths)[0], BaselineKind::h_sf)}};
}

TEST(Refinement, GapsAroundTheWorst)
{
    using Gaps = std::vector<std::pair<double, double>>;
    auto const gaps = [](std::vector<LineCell> const& line) { return gaps_to_refine(line); };
    EXPECT_EQ(gaps({line_cell(1, 110), line_cell(2, 150), line_cell(5, 120)}),
              (Gaps{{1, 2}, {2, 5}}));
    EXPECT_EQ(gaps({line_cell(1, 190), line_cell(2, 150)}), (Gaps{{1, 2}}));
    EXPECT_EQ(gaps({line_cell(1, 110), line_cell(2, 150)}), (Gaps{{1, 2}}));
    EXPECT_EQ(gaps({line_cell(1, 150), line_cell(2, 150), line_cell(3, 150)}), (Gaps{{1, 2}}));
    EXPECT_EQ(gaps({line_cell(1, 0), line_cell(2, 0)}), Gaps{});
    EXPECT_EQ(gaps({line_cell(1, 0), line_cell(2, 101), line_cell(3, 0)}), (Gaps{{1, 2}, {2, 3}}));
    EXPECT_EQ(gaps({line_cell(1, 110)}), Gaps{});
    EXPECT_EQ(gaps({}), Gaps{});
}

TEST(Refiner, WholeNumbersOnlyAndNeverTheSameCellAgain)
{
    Plan plan = fake_plan(1);
    plan.sweeps = {Sweep{"s", {{"n", {2, 5, 6}}}, Refinement{"n", 5, "h-sf"}}};
    plan.make_cell = [](std::string const&, Coordinates const& point) {
        if (point[0].second != std::floor(point[0].second)) throw InputError("a whole number");
        PlannedCell cell;
        cell.sweep = "s";
        cell.coordinates = point;
        cell.identity = fmt::format("{}", point[0].second);
        return cell;
    };
    Refiner refiner(plan);
    std::int64_t index = 0;
    for (double const n : {2, 5, 6}) refiner.add(plan.make_cell("s", {{"n", n}}), index++);
    auto const tally = [](std::int64_t cell) { return one_ratio(100 + (cell == 1)); };
    EXPECT_EQ(refiner.rounds(), 5);
    auto const cells = refiner.next_round(1, tally);
    ASSERT_EQ(cells.size(), 1u); // 3.5 is no cell, 4 is; between 5 and 6 there is none
    EXPECT_EQ(cells[0].coordinates[0].second, 4);
    EXPECT_EQ(refiner.take_notes(),
              std::vector<std::string>{"sweep s: nothing new between n=5 and 6"});
    refiner.add(cells[0], index++);
    EXPECT_TRUE(refiner.next_round(2, tally).empty());
}

TEST(Plan, LeftOutRowsAreSaidOnceASweep)
{
    EXPECT_EQ(left_out_text(grid_cells(fake_plan(1))),
              "sweep second: rows left out: 2 to 10 of trace.csv, by cell\n");
}

} // namespace
} // namespace crx_test
