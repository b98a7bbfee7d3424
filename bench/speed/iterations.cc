// The iteration model: its engine beside a plain event loop (iteration_loop.hh), in types of
// prompts, and what it costs to tell types and prompts apart. Profile llama2-7b-a100, AO
// section 6.1's types.
#include "bench/speed/cases.hh"
#include "bench/speed/iteration_loop.hh"

#include "analysis/fluid/thresholds.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <benchmark/benchmark.h>
#include <cstddef>
#include <fmt/format.h>
#include <random>

namespace crx::bench {
namespace {

struct Setting
{
    fluid::Load load;
    std::vector<std::int64_t> thresholds;

    IterationTime time() const
    {
        return {static_cast<Nanoseconds>(load.overhead * 1e9),
                static_cast<std::uint64_t>(load.per_token * 1e9 * 65536)};
    }
    IterationCell cell(double horizon) const
    {
        IterationCell cell;
        cell.time = time();
        cell.types = load.types;
        cell.arrivals = poisson_rates({load.rate});
        cell.policy.thresholds = wait_table(load.types, thresholds);
        cell.checkpoints = {static_cast<Nanoseconds>(horizon * 1e9)};
        return cell;
    }
    /// What iteration_loop.py takes.
    std::string arguments() const
    {
        auto text = fmt::format("{} {}", load.overhead, load.per_token);
        for (std::size_t j = 0; j < load.types.size(); ++j)
            text += fmt::format(" {}:{}:{:.6g}:{}", load.types[j].prompt, load.types[j].output,
                                load.rate[j], thresholds[j]);
        return text;
    }
};

/// The types at the rates that make D = `utilisation`, in the given proportions; least thresholds
/// inside (9).
Setting setting(std::vector<PromptType> types, std::vector<double> share, double utilisation)
{
    fluid::Load load{6.60953e-3, 257.13e-9, std::move(types), std::move(share)};
    auto const scale = utilisation / fluid::utilisation(load);
    for (auto& rate : load.rate) rate *= scale;
    return {load, *fluid::least_wait_thresholds(load, fluid::Margin::inside)};
}

void count(benchmark::State& state, std::int64_t iterations, std::int64_t completed)
{
    state.SetItemsProcessed(iterations);
    state.counters["prompts/s"] =
        benchmark::Counter(static_cast<double>(completed), benchmark::Counter::kIsRate);
}

void time_engine(benchmark::State& state, IterationCell const& cell, bool by_type)
{
    std::int64_t path = 0, iterations = 0, completed = 0;
    for (auto _ : state) {
        auto const tally = by_type ? launch_typed_paths(cell, path, 1).front().tallies.back()
                                   : execute_path(cell, path).back();
        iterations += tally.iterations;
        completed += tally.completed;
        ++path;
    }
    count(state, iterations, completed);
}

/// With the engine's own arrivals the loop must do the same, or the comparison is void.
bool loop_agrees(Setting const& s, double horizon)
{
    auto const cell = s.cell(horizon);
    Arena counter(nullptr, 0);
    auto const make = [&](Arena& arena) {
        return PoissonArrivals(cell.arrivals.table(), cell.seed, 0, nullptr, nullptr, 0, arena);
    };
    make(counter);
    std::vector<std::max_align_t> block(counter.bytes_used() / sizeof(std::max_align_t) + 1);
    Arena arena(block.data(), block.size() * sizeof(std::max_align_t));
    auto arrivals = make(arena);
    auto const next = [&arrivals] {
        std::pair<Nanoseconds, int> const out{arrivals.time(), arrivals.type()};
        arrivals.advance();
        return out;
    };
    PlainWaitLoop loop(s.time(), s.load.types, s.thresholds, next);
    loop.run_until(cell.checkpoints.back());
    auto const tally = execute_path(cell, 0).back();
    return loop.iterations == tally.iterations && loop.completed == tally.completed;
}

/// With the standard library's arrivals, as one would write it.
void time_loop(benchmark::State& state, Setting const& s, double horizon)
{
    if (!loop_agrees(s, horizon)) return state.SkipWithError("the loop and the engine differ");
    std::int64_t iterations = 0, completed = 0;
    for (auto _ : state) {
        std::mt19937_64 random(1);
        double total = 0, now = 0;
        for (auto const rate : s.load.rate) total += rate;
        std::exponential_distribution<double> gap(total);
        std::discrete_distribution<int> type(s.load.rate.begin(), s.load.rate.end());
        auto const next = [&] {
            now += gap(random);
            return std::pair<Nanoseconds, int>{static_cast<Nanoseconds>(now * 1e9), type(random)};
        };
        PlainWaitLoop loop(s.time(), s.load.types, s.thresholds, next);
        loop.run_until(static_cast<Nanoseconds>(horizon * 1e9));
        iterations += loop.iterations;
        completed += loop.completed;
    }
    count(state, iterations, completed);
    state.SetLabel("iteration_loop.py: " + s.arguments());
}

void add_engine(std::string const& name, IterationCell const& cell, bool by_type = false)
{
    benchmark::RegisterBenchmark(("iterations/" + name).c_str(), [=](benchmark::State& state) {
        time_engine(state, cell, by_type);
    })->Unit(benchmark::kMillisecond);
}

void add_beside_loop(std::string const& name, Setting const& s, double scale)
{
    add_engine(name + "/engine", s.cell(1000 * scale));
    benchmark::RegisterBenchmark(("iterations/" + name + "/loop").c_str(),
                                 [=](benchmark::State& state) { time_loop(state, s, 20 * scale); })
        ->Unit(benchmark::kMillisecond);
}

/// Nested WAIT takes one segment a type.
void add_told_apart(Setting const& s)
{
    auto const wait = s.cell(200);
    auto hard = wait;
    hard.policy.hard = true;
    hard.policy.memory = fluid::wait_batch_tokens(s.load.types, s.thresholds); // never exceeded
    auto nested = wait;
    std::vector<Tokens> ends;
    for (auto const& type : s.load.types) ends.push_back(type.output);
    auto const n = *fluid::least_nested_thresholds(fluid::nested_load(s.load, ends));
    nested.policy.kind = IterationPolicyKind::nested_wait;
    nested.policy.thresholds =
        nested_table(s.load.types, {{s.load.types.front().prompt, {ends.begin(), ends.end()}, n}});
    add_engine("low demand/WAIT", wait);
    add_engine("low demand/WAIT by type", wait, true);
    add_engine("low demand/WAIT, hard memory", hard);
    add_engine("low demand/Nested WAIT", nested);
    add_engine("low demand/Nested WAIT by type", nested, true);
}

void add_many_types()
{
    for (std::int64_t const m : {1, 5, 50, 500}) {
        std::vector<PromptType> types;
        for (std::int64_t j = 1; j <= m; ++j)
            types.push_back({62, std::max<Tokens>(1, 500 * j / m)});
        std::vector<double> const share(types.size(), 1);
        add_engine(fmt::format("types:{}/WAIT", m), setting(types, share, 0.5).cell(2000));
    }
}

} // namespace

void add_iteration_rows()
{
    auto const low = setting({{10, 10}, {10, 20}}, {1000, 1000}, 0.5);
    add_beside_loop("low demand", low, 1);
    add_beside_loop("high demand",
                    setting({{20, 100}, {20, 200}, {20, 300}}, {6000, 4000, 2000}, 0.9), 10);
    add_told_apart(low);
    add_many_types();
}

} // namespace crx::bench
