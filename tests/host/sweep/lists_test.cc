// Executors that take lists of cells, as a GPU does: alone, and beside the cores.
#include "fake_experiment.hh"

#include <chrono>
#include <set>
#include <thread>

namespace crx_test {
namespace {

/// Runs of each part of a list so many of its first instances as `done` says.
template <class Done>
Launch lists(Done done)
{
    return [done](std::span<LaunchPart const> parts, StopCondition const& stop_condition) mutable {
        LaunchedParts all;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            auto const& [cell, range] = parts[k];
            auto const count = done(k, parts.size(), range.count, stop_condition);
            all.parts.push_back({fake_launch(*cell, {range.first, count}), count, {}});
        }
        return all;
    };
}

SweepSettings settings_with(std::vector<Executor> executors)
{
    auto settings = fake_settings();
    settings.executors = std::move(executors);
    return settings;
}

TEST(Lists, GiveTheSameExport)
{
    TemporaryFolder const folder;
    auto const plan = fake_plan(150, 2);
    run_fake(folder / "a.db", plan);
    auto const expected = export_of(folder / "a.db");
    for (int const at_once : {1, 2}) {
        for (bool const whole : {true, false}) {
            std::atomic<int> calls = 0, most_cells = 0;
            auto const launch = lists([&](std::size_t k, std::size_t cells, std::int64_t count,
                                          StopCondition const& stop_condition) {
                EXPECT_GT(stop_condition.seconds, 0);
                calls += k == 0 ? 1 : 0;
                most_cells = std::max(most_cells.load(), static_cast<int>(cells));
                // Time is over behind some part.
                return whole ? count : k < 3 ? count - static_cast<std::int64_t>(k % 2) : 0;
            });
            auto const file = folder / fmt::format("{}-{}.db", at_once, whole);
            run_fake(file, plan, settings_with({{launch, {}, at_once, 1000, 5}}));
            EXPECT_EQ(export_of(file), expected);
            EXPECT_EQ(most_cells, 5);
            if (whole) {
                // 11 cells and those of two refinements.
                EXPECT_LE(calls, 3 * (11 / 5 + 2));
            }
        }
    }
}

// A fault in a list: what is finished stays, whole cells and parts of one, and the message says
// where it was and what was kept. Planted: what came with an error is thrown away.
TEST(Lists, AFaultTakesNothingThatWasFinished)
{
    TemporaryFolder const folder;
    auto const plan = fake_plan(100);
    run_fake(folder / "whole.db", plan);
    bool fails = true;
    Launch const launch = [&](std::span<LaunchPart const> parts, StopCondition const&) {
        LaunchedParts all;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            auto const& [cell, range] = parts[k];
            auto const count = fails && k == 2 ? 40 : range.count;
            all.parts.push_back({fake_launch(*cell, {range.first, count}), count, {}});
            if (fails && k == 2) {
                all.error = std::make_exception_ptr(std::runtime_error("illegal memory access"));
                break;
            }
        }
        return all;
    };
    auto const settings = settings_with({{launch, {}, 1, 1000, 5}});
    try {
        run_fake(folder / "a.db", plan, settings);
        FAIL() << "nothing thrown";
    } catch (RunError const& error) {
        EXPECT_EQ(std::string(error.what()),
                  "first alpha=0.25 w=0.5, instances 0 to 99: illegal memory access\n"
                  "  kept: 2 complete cells, 240 instances in all, in " +
                      (folder / "a.db").string() + "\n  to go on, give the same command again");
    }
    fails = false;
    EXPECT_EQ(run_fake(folder / "a.db", plan, settings).instances_before, 240);
    EXPECT_EQ(export_of(folder / "a.db"), export_of(folder / "whole.db"));
}

TEST(Lists, AnEndKeepsWhatWasFinished)
{
    TemporaryFolder const folder;
    auto const plan = fake_plan(100);
    run_fake(folder / "whole.db", plan);
    std::atomic<bool> asked = false;
    auto const launch = lists([&](std::size_t k, std::size_t, std::int64_t count,
                                  StopCondition const& stop_condition) -> std::int64_t {
        if (k == 1) asked = true;
        return stop_condition.stop_asked() ? 0 : count;
    });
    auto settings = settings_with({{launch, {}, 2, 1000, 5}});
    settings.stop_asked = [&] { return asked.load(); };
    EXPECT_THROW(run_fake(folder / "a.db", plan, settings), RunError);
    std::int64_t kept = 0;
    for (auto const& cell : read_store(folder / "a.db").cells) kept += cell.instances;
    EXPECT_GE(kept, 100);
    EXPECT_LT(kept, 1100);
    settings.stop_asked = [] { return false; };
    asked = false;
    run_fake(folder / "a.db", plan);
    EXPECT_EQ(export_of(folder / "a.db"), export_of(folder / "whole.db"));
}

// The cores and a GPU that gives much back, and does not take every cell, end together: nothing is
// left. Planted: cores that leave while the GPU still has instances.
TEST(Lists, CoresAndAGpuDoAllTogether)
{
    TemporaryFolder const folder;
    auto const plan = fake_plan(300);
    run_fake(folder / "whole.db", plan);
    auto const expected = export_of(folder / "whole.db");
    for (int const threads : {1, 3}) {
        std::atomic<std::int64_t> by_gpu = 0, by_cores = 0;
        auto const gpu =
            lists([&](std::size_t k, std::size_t, std::int64_t count, StopCondition const&) {
                if (k == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
                auto const some = (count + 1) / 2;
                by_gpu += some;
                return some;
            });
        auto const cores =
            each_part([&](Cell const& cell, InstanceRange range, StopCondition const& condition) {
                by_cores += range.count;
                std::this_thread::sleep_for(range.count * std::chrono::milliseconds(1));
                return fake_launch_all(cell, range, condition);
            });
        auto settings = settings_with(
            {{gpu, {}, 2, 1000, 5, [](Cell const& cell) { return cell.workload.memory > 0; }},
             {cores, {}}});
        settings.threads = threads;
        settings.chunk_seconds = 0.005;
        auto const file = folder / fmt::format("{}.db", threads);
        run_fake(file, plan, settings);
        EXPECT_EQ(export_of(file), expected);
        EXPECT_EQ(by_gpu + by_cores, 11 * 300);
        EXPECT_GT(by_gpu, 500);
        EXPECT_GT(by_cores, 3 * 300); // the cells that no GPU takes
    }
}

TEST(Lists, AGpuTakesWhatEndsAtTheSameTime)
{
    EXPECT_EQ(share_of_gpu({}, 1'000'000, 16), 0); // nothing is known
    // 10^-5 s an instance: sixteen cores are done with 10^5 in 0.06 s, before a GPU has begun.
    EXPECT_EQ(share_of_gpu({1e-5, 0, 0}, 100'000, 16), 0);
    // 10^8 take a minute: the cores keep the half second of the GPU's start.
    EXPECT_NEAR(static_cast<double>(share_of_gpu({1e-5, 0, 0}, 100'000'000, 16)), 99.2e6, 0.1e6);
    // As fast as the cores together: half.
    EXPECT_NEAR(static_cast<double>(share_of_gpu({1.6e-5, 0.01, 1e-6}, 100'000'000, 16)), 50e6,
                1e3);
    // Its shortest call lasts longer than all does on the cores.
    EXPECT_EQ(share_of_gpu({1e-3, 2, 1e-9}, 30'000, 16), 0);
}

} // namespace
} // namespace crx_test
