#pragma once

#include "host/error.hh"
#include "host/results/export_table.hh"
#include "host/store/run_store.hh"
#include "host/sweep/runner.hh"
#include "support/temporary_folder.hh"

#include <atomic>
#include <cmath>
#include <fmt/core.h>
#include <gtest/gtest.h>

/// A plan and a launch that need no engine: what an instance gives is a fixed function of the cell
/// and the instance's number.
namespace crx_test {

using namespace crx;

inline std::uint64_t mix(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Two sweeps: "first" over alpha and w, refined along w, and "second" over n.
inline Plan fake_plan(std::int64_t instances, int rounds = 0)
{
    Plan plan;
    Sweep first{"first", {{"alpha", {0.25, 0.5}}, {"w", {0.1, 0.3, 0.5, 0.7}}}, {}};
    if (rounds > 0) first.refinement = Refinement{"w", rounds, "h-sf"};
    plan.sweeps = {first, Sweep{"second", {{"n", {10, 9, 2}}}, {}}};
    plan.stop.instances = instances;
    plan.baselines = {BaselineKind::h_sf, BaselineKind::volume};
    plan.grid = [](std::string const& sweep) {
        std::vector<Coordinates> points;
        if (sweep == "second") return std::vector<Coordinates>{{{"n", 2}}, {{"n", 9}}, {{"n", 10}}};
        for (double const alpha : {0.25, 0.5})
            for (double const w : {0.1, 0.3, 0.5, 0.7})
                points.push_back({{"alpha", alpha}, {"w", w}});
        return points;
    };
    plan.make_cell = [](std::string const& sweep, Coordinates const& coordinates) {
        PlannedCell planned;
        planned.sweep = sweep;
        planned.coordinates = coordinates;
        double peak = 0; // of the mean ratio, at w = 0.42
        std::uint64_t key = sweep == "first" ? 1 : 2;
        for (auto const& [axis, value] : coordinates) {
            planned.parameters[axis] = value;
            key = mix(key * 31 + static_cast<std::uint64_t>(value * 1e6));
            if (axis == "w") peak = 1000 * std::exp(-10 * (value - 0.42) * (value - 0.42));
        }
        planned.identity = fmt::format("{{\"key\":{},\"policies\":[0,1]}}", key);
        planned.parameters["requests"] = 12;
        planned.cell.workload.seed = key;
        planned.cell.workload.memory = static_cast<Tokens>(peak);
        planned.cell.policies.resize(2);
        planned.cell.policies[1].round_cap = 1; // tells which it is where it runs alone
        if (sweep == "second")
            planned.left_out = {{"trace.csv", static_cast<std::int64_t>(coordinates[0].second)}};
        return planned;
    };
    return plan;
}

/// Policy 1 does not finish one instance in ten.
inline Tally fake_launch(Cell const& cell, InstanceRange range)
{
    Tally tally(cell.policies.size());
    for (auto i = range.first; i < range.first + range.count; ++i) {
        auto const word = mix(cell.workload.seed + 1000003 * static_cast<std::uint64_t>(i));
        std::int64_t const baselines[baseline_kinds] = {900 + static_cast<std::int64_t>(word % 100),
                                                        700 + static_cast<std::int64_t>(word % 77)};
        for (std::size_t p = 0; p < tally.size(); ++p) {
            Outcome outcome;
            bool const is_second = cell.policies[p].round_cap == 1;
            auto const own = mix(word + (is_second ? 1 : 0));
            outcome.total_latency =
                1000 + cell.workload.memory + static_cast<std::int64_t>(own % 200);
            outcome.makespan = static_cast<Rounds>(own % 64);
            outcome.peak_memory = static_cast<Tokens>(own % 1000);
            outcome.cancellations = static_cast<std::int64_t>(own % 3);
            outcome.wasted_tokens = static_cast<std::int64_t>(own % 7);
            if (is_second && own % 10 == 0) outcome.give_up(Unfinished::cycle);
            tally[p].sums.add(outcome, baselines, i);
            if (outcome.finished == 0) continue;
            for (int k = 0; k < baseline_kinds; ++k)
                if (baselines[k] > 0)
                    ++tally[p].histogram[k][histogram_bin(
                        fixed_ratio(outcome.total_latency, baselines[k]))];
        }
    }
    return tally;
}

inline Launched fake_launch_all(Cell const& cell, InstanceRange range, StopCondition const&)
{
    return {fake_launch(cell, range), range.count};
}

/// A Launch that runs parts one after the other, as on the cores.
template <class LaunchOne>
Launch each_part(LaunchOne launch)
{
    return
        [launch](std::span<LaunchPart const> parts, StopCondition const& stop_condition) mutable {
            LaunchedParts done;
            try {
                for (auto const& part : parts)
                    done.parts.push_back(launch(*part.cell, part.range, stop_condition));
            } catch (std::exception const&) {
                done.error = std::current_exception();
            }
            return done;
        };
}

inline StoreHeader fake_header(std::string const& identity = "{\"seed\":1}")
{
    return {"fake",
            "# fake\n",
            "/",
            {},
            1,
            identity,
            {{"a-max", "a-max"}, {"a-min", "a-min, \"first\" reading"}},
            {"h-sf", "volume"}};
}

inline RunInfo fake_run() { return {"1", "abc", "Release", "cpu", ""}; }

/// Chunks of about 1/20000 s, so that a cell has several.
inline SweepSettings fake_settings()
{
    SweepSettings settings;
    settings.executors = {{each_part(fake_launch_all), {}}};
    settings.threads = 1;
    settings.chunk_seconds = 5e-5;
    return settings;
}

inline SweepSummary run_fake(std::filesystem::path const& file, Plan const& plan,
                             SweepSettings const& settings = fake_settings())
{
    RunStore store(file, fake_header(), fake_run());
    Progress progress(stderr, ProgressStyle::none);
    return run_sweep(plan, grid_cells(plan), store, settings, progress);
}

inline std::string export_of(std::filesystem::path const& file)
{
    return to_csv(make_export(read_store(file), 0.95));
}

} // namespace crx_test
