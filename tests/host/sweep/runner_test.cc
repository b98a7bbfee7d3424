#include "fake_experiment.hh"

namespace crx_test {
namespace {

TEST(Runner, RunsEveryInstanceOnce)
{
    TemporaryFolder const folder;
    auto const summary = run_fake(folder / "a.db", fake_plan(500));
    EXPECT_EQ(summary.cells, 11);
    EXPECT_EQ(summary.instances, 11 * 500);
    EXPECT_EQ(summary.instances_before, 0);
    auto const plan = fake_plan(500);
    for (auto const& cell : read_store(folder / "a.db").cells) {
        SCOPED_TRACE(point_text(cell.coordinates));
        EXPECT_EQ(cell.instances, 500);
        EXPECT_EQ(cell.tally,
                  fake_launch(plan.make_cell(cell.sweep, cell.coordinates).cell, {0, 500}));
    }
}

TEST(Runner, SameExportForAnyThreadsAndChunks)
{
    TemporaryFolder const folder;
    auto const plan = fake_plan(150, 2);
    run_fake(folder / "a.db", plan);
    auto const expected = export_of(folder / "a.db");
    for (int const threads : {2, 7}) {
        for (double const chunk : {1e-9, 1e-5, 10.0}) {
            auto const file = folder / fmt::format("{}-{}.db", threads, chunk);
            auto settings = fake_settings();
            settings.threads = threads;
            settings.chunk_seconds = chunk;
            run_fake(file, plan, settings);
            EXPECT_EQ(export_of(file), expected) << threads << " threads, " << chunk << " s";
        }
    }
}

/// Runs until `chunks` more chunks are done, then fails; false once a run ends by itself.
bool run_interrupted(std::filesystem::path const& file, Plan const& plan, int chunks, bool signal)
{
    std::atomic<int> left = chunks;
    auto settings = fake_settings();
    settings.threads = 2;
    if (signal) {
        settings.stop_asked = [&] { return left <= 0; };
        settings.executors.front().launch = each_part(
            [&](Cell const& cell, InstanceRange range, StopCondition const& stop_condition) {
                --left;
                return fake_launch_all(cell, range, stop_condition);
            });
    } else {
        settings.executors.front().launch = each_part(
            [&](Cell const& cell, InstanceRange range, StopCondition const& stop_condition) {
                if (left-- <= 0) throw std::runtime_error("the machine broke");
                return fake_launch_all(cell, range, stop_condition);
            });
    }
    try {
        run_fake(file, plan, settings);
        return false;
    } catch (RunError const& error) {
        EXPECT_NE(std::string(error.what()).find("to go on, give the same command again"),
                  std::string::npos);
        return true;
    }
}

// A launch that does only the first few of its instances, or none where it is asked to stop.
TEST(Runner, TakesWhatALaunchDid)
{
    TemporaryFolder const folder;
    auto const plan = fake_plan(150, 2);
    run_fake(folder / "a.db", plan);
    auto const expected = export_of(folder / "a.db");
    for (int const threads : {1, 3}) {
        auto const file = folder / fmt::format("{}.db", threads);
        auto settings = fake_settings();
        settings.threads = threads;
        std::atomic<int> launches = 0;
        settings.stop_asked = [&] { return launches >= 60; };
        settings.executors.front().launch = each_part(
            [&](Cell const& cell, InstanceRange range, StopCondition const& stop_condition) {
                EXPECT_GT(stop_condition.seconds, 0);
                auto const count =
                    stop_condition.stop_asked() ? 0 : range.count - ++launches % range.count;
                return Launched{fake_launch(cell, {range.first, count}), count, {}};
            });
        EXPECT_THROW(run_fake(file, plan, settings), RunError);
        EXPECT_NE(export_of(file), expected);
        settings.stop_asked = [] { return false; };
        run_fake(file, plan, settings);
        EXPECT_EQ(export_of(file), expected);
    }
}

TEST(Runner, InterruptedOftenGivesTheSameExport)
{
    TemporaryFolder const folder;
    for (bool const precision : {false, true}) {
        auto plan = fake_plan(300, 2);
        if (precision) plan.stop.half_width = 0.01;
        auto const name = precision ? "precise" : "fixed";
        run_fake(folder / name, plan);
        auto const expected = export_of(folder / name);
        for (bool const signal : {false, true}) {
            auto const file = folder / fmt::format("{}-{}.db", name, signal);
            int interruptions = 0;
            // Each run reads the whole store again, and a slow build makes many small chunks.
            while (interruptions < 50 &&
                   run_interrupted(file, plan, 5 + 3 * (interruptions % 5), signal))
                ++interruptions;
            EXPECT_GT(interruptions, 5);
            run_fake(file, plan);
            EXPECT_EQ(export_of(file), expected);
        }
    }
}

TEST(Runner, FailureSaysWhereAndWhatWasKept)
{
    TemporaryFolder const folder;
    auto settings = fake_settings();
    settings.chunk_seconds = 1e9;
    settings.executors.front().launch =
        each_part([](Cell const& cell, InstanceRange range, StopCondition const& stop_condition) {
            if (range.first >= 17) throw std::runtime_error("out of memory");
            return fake_launch_all(cell, range, stop_condition);
        });
    try {
        run_fake(folder / "a.db", fake_plan(100), settings);
        FAIL() << "nothing thrown";
    } catch (RunError const& error) {
        // One instance, then sixteen times as many, then the rest.
        EXPECT_EQ(std::string(error.what()),
                  "first alpha=0.25 w=0.1, instances 17 to 99: out of memory\n"
                  "  kept: 0 complete cells, 17 instances in all, in " +
                      (folder / "a.db").string() + "\n  to go on, give the same command again");
    }
}

// Its own policy is not mended by giving the same command again.
TEST(Runner, AUsersPolicyIsToBeMendedFirst)
{
    TemporaryFolder const folder;
    auto settings = fake_settings();
    for (bool const of_input : {false, true}) {
        settings.executors.front().launch =
            each_part([of_input](Cell const&, InstanceRange, StopCondition const&) -> Launched {
                if (of_input) throw InputError("the order names request 2 twice");
                throw PolicyError("policy fast: program a ended with status 1");
            });
        try {
            run_fake(folder / "a.db", fake_plan(100), settings);
            FAIL() << "nothing thrown";
        } catch (RunError const& error) {
            EXPECT_TRUE(std::string(error.what())
                            .ends_with("\n  to go on, mend the policy and give the same command "
                                       "again"))
                << error.what();
        }
    }
}

TEST(Runner, RaisingTheTargetAddsToWhatIsThere)
{
    TemporaryFolder const folder;
    run_fake(folder / "once.db", fake_plan(900));
    run_fake(folder / "twice.db", fake_plan(123));
    auto const summary = run_fake(folder / "twice.db", fake_plan(900));
    EXPECT_EQ(summary.instances_before, 11 * 123);
    EXPECT_EQ(export_of(folder / "twice.db"), export_of(folder / "once.db"));
    // Lowering it changes nothing.
    EXPECT_EQ(run_fake(folder / "twice.db", fake_plan(5)).instances, 11 * 900);
    EXPECT_EQ(export_of(folder / "twice.db"), export_of(folder / "once.db"));
}

TEST(Runner, StopsAtAPowerOfTwoTimesFirst)
{
    TemporaryFolder const folder;
    auto plan = fake_plan(1000);
    plan.stop.half_width = 0.008;
    plan.stop.first = 10;
    run_fake(folder / "a.db", plan);
    bool some_stopped_early = false;
    for (auto const& cell : read_store(folder / "a.db").cells) {
        EXPECT_TRUE(cell.instances == 1000 || cell.instances % 10 == 0) << cell.instances;
        some_stopped_early = some_stopped_early || cell.instances < 1000;
    }
    EXPECT_TRUE(some_stopped_early);
}

TEST(Runner, CountsCellsThatMissTheHalfWidth)
{
    TemporaryFolder const folder;
    auto plan = fake_plan(1000);
    EXPECT_EQ(run_fake(folder / "none.db", plan).imprecise, 0);
    plan.stop.half_width = 1e-9;
    auto const missed = run_fake(folder / "missed.db", plan);
    EXPECT_EQ(missed.imprecise, missed.cells);
    // Also where all was there already.
    EXPECT_EQ(run_fake(folder / "missed.db", plan).imprecise, missed.cells);
    plan.stop.half_width = 10;
    EXPECT_EQ(run_fake(folder / "reached.db", plan).imprecise, 0);
}

TEST(Runner, WrongCountFromABackendIsRefused)
{
    TemporaryFolder const folder;
    auto settings = fake_settings();
    settings.executors.front().launch =
        each_part([](Cell const& cell, InstanceRange range, StopCondition const&) {
            return Launched{fake_launch(cell, {range.first, range.count + 1}), range.count, {}};
        });
    EXPECT_THROW(run_fake(folder / "a.db", fake_plan(10), settings), RunError);
    for (auto const& cell : read_store(folder / "a.db").cells) EXPECT_EQ(cell.instances, 0);
}

TEST(Runner, RefinesAroundTheWorst)
{
    TemporaryFolder const folder;
    run_fake(folder / "a.db", fake_plan(200, 3));
    std::vector<double> at_quarter;
    for (auto const& cell : read_store(folder / "a.db").cells)
        if (cell.sweep == "first" && cell.coordinates[0].second == 0.25)
            at_quarter.push_back(cell.coordinates[1].second);
    EXPECT_TRUE(std::is_sorted(at_quarter.begin(), at_quarter.end()));
    // The peak lies at 0.42: round 1 adds 0.4 and 0.6 around 0.5 (or 0.2 and 0.4 around 0.3).
    EXPECT_GT(at_quarter.size(), 4u + 3u);
    auto const near = [&](double w) {
        return std::any_of(at_quarter.begin(), at_quarter.end(),
                           [&](double x) { return std::abs(x - w) < 1e-12; });
    };
    EXPECT_TRUE(near(0.4));
    EXPECT_TRUE(near(0.45));
    EXPECT_TRUE(near(0.425));
}

} // namespace
} // namespace crx_test
