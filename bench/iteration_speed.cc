// Speed of the iteration engine beside a plain C++ event loop and a SimPy-style Python loop, its
// growth in types and stages, and two threads beside one. Processor time but for the threads.

#include "analysis/fluid/thresholds.hh"
#include "bench/iteration_loop.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fmt/core.h>
#include <random>
#include <tbb/global_control.h>

namespace crx {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

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
};

/// The types at the rates that make D = `utilisation`, in the given proportions; profile
/// llama2-7b-a100 (docs/profiles.md); least thresholds inside (9).
Setting setting(std::vector<PromptType> types, std::vector<double> share, double utilisation)
{
    fluid::Load load{6.60953e-3, 257.13e-9, std::move(types), std::move(share)};
    auto const scale = utilisation / fluid::utilisation(load);
    for (auto& rate : load.rate) rate *= scale;
    return {load, *fluid::least_wait_thresholds(load, fluid::Margin::inside)};
}

struct Speed
{
    std::int64_t iterations = 0, completed = 0;
    double seconds = 0;
    double rate() const { return static_cast<double>(iterations) / seconds; }
};

Speed engine(Setting const& s, double horizon)
{
    auto const cell = s.cell(horizon);
    auto const begin = processor_seconds();
    auto const tally = execute_path(cell, 0).back();
    return {tally.iterations, tally.completed, processor_seconds() - begin};
}

/// With the engine's own arrivals: the same integers, or the comparison is void.
void check_same(Setting const& s, double horizon)
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
    bench::PlainWaitLoop loop(s.time(), s.load.types, s.thresholds, next);
    loop.run_until(cell.checkpoints.back());
    auto const tally = execute_path(cell, 0).back();
    if (loop.iterations == tally.iterations && loop.completed == tally.completed) return;
    fmt::print("the plain loop and the engine differ\n");
    std::exit(1);
}

/// With the standard library's arrivals, as one would write it.
Speed plain(Setting const& s, double horizon)
{
    std::mt19937_64 random(1);
    double total = 0, now = 0;
    for (auto const rate : s.load.rate) total += rate;
    std::exponential_distribution<double> gap(total);
    std::discrete_distribution<int> type(s.load.rate.begin(), s.load.rate.end());
    auto const next = [&] {
        now += gap(random);
        return std::pair<Nanoseconds, int>{static_cast<Nanoseconds>(now * 1e9), type(random)};
    };
    bench::PlainWaitLoop loop(s.time(), s.load.types, s.thresholds, next);
    auto const begin = processor_seconds();
    loop.run_until(static_cast<Nanoseconds>(horizon * 1e9));
    return {loop.iterations, loop.completed, processor_seconds() - begin};
}

Speed python(Setting const& s, double horizon)
{
    auto command = fmt::format("python3 " CRX_BENCH_DIR "/iteration_loop.py {} {} {}",
                               s.load.overhead, s.load.per_token, horizon);
    for (std::size_t j = 0; j < s.load.types.size(); ++j)
        command += fmt::format(" {}:{}:{}:{}", s.load.types[j].prompt, s.load.types[j].output,
                               s.load.rate[j], s.thresholds[j]);
    auto* const pipe = popen(command.c_str(), "r");
    Speed speed;
    long iterations = 0, completed = 0;
    if (pipe == nullptr ||
        std::fscanf(pipe, "%ld %ld %lf", &iterations, &completed, &speed.seconds) != 3) {
        fmt::print("python3 could not be run\n");
        std::exit(1);
    }
    pclose(pipe);
    speed.iterations = iterations;
    speed.completed = completed;
    return speed;
}

void beside_loops(char const* name, Setting const& s, double scale)
{
    check_same(s, 20 * scale);
    // The best of some rounds, in turns: others may use the machine.
    Speed e, p, y;
    auto const keep = [](Speed& best, Speed const& now) {
        if (best.seconds == 0 || now.rate() > best.rate()) best = now;
    };
    for (int round = 0; round < 5; ++round) {
        keep(e, engine(s, 1000 * scale));
        keep(p, plain(s, 20 * scale));
        keep(y, python(s, 20 * scale)); // long enough that filling the system counts little
    }
    std::int64_t in_batch = 0;
    for (std::size_t j = 0; j < s.thresholds.size(); ++j)
        in_batch += s.thresholds[j] * (s.load.types[j].output + 1);
    fmt::print("{:<12} {:>9} prompts a full batch: engine {:.3g}, C++ loop {:.3g}, Python loop "
               "{:.3g} iterations/s; {:.1f} and {:.0f} times\n",
               name, in_batch, e.rate(), p.rate(), y.rate(), e.rate() / p.rate(),
               e.rate() / y.rate());
}

Setting many_types(std::int64_t m, Tokens longest)
{
    std::vector<PromptType> types;
    for (std::int64_t j = 1; j <= m; ++j)
        types.push_back({62, std::max<Tokens>(1, longest * j / m)});
    return setting(types, std::vector<double>(static_cast<std::size_t>(m), 1.0), 0.5);
}

void growth()
{
    fmt::print("\nm types with outputs up to 500, D = 0.5\n");
    for (std::int64_t const m : {1, 5, 50, 500}) {
        auto const s = many_types(m, 500);
        auto const e = engine(s, 2000);
        fmt::print("m = {:>4}: {:.3g} iterations/s, {:.3g} prompts/s\n", m, e.rate(),
                   static_cast<double>(e.completed) / e.seconds);
    }
    fmt::print("\none type with output l', D = 0.5\n");
    for (Tokens const output : {10, 100, 1000}) {
        auto const s = many_types(1, output);
        auto const e = engine(s, 5000);
        fmt::print("l' = {:>5}: {:.3g} iterations/s, {:.3g} prompts/s\n", output, e.rate(),
                   static_cast<double>(e.completed) / e.seconds);
    }
}

/// What it costs to tell types or prompts, beside counts. Nested WAIT takes one segment a type.
void told_apart(Setting const& s)
{
    auto wait = s.cell(200);
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
    struct Case
    {
        char const* name;
        IterationCell const& cell;
        bool by_type;
        double prompts = 0; ///< completed, a second of processor time
    } cases[] = {{"WAIT", wait, false},
                 {"WAIT by type", wait, true},
                 {"WAIT, hard memory", hard, false},
                 {"Nested WAIT", nested, false},
                 {"Nested WAIT by type", nested, true}};
    for (int round = 0; round < 5; ++round) // in turns, as above
        for (auto& each : cases) {
            auto const begin = processor_seconds();
            auto const tally = each.by_type
                                   ? launch_typed_paths(each.cell, 0, 1).front().tallies.back()
                                   : execute_path(each.cell, 0).back();
            each.prompts = std::max(each.prompts, static_cast<double>(tally.completed) /
                                                      (processor_seconds() - begin));
        }
    fmt::print("\n");
    for (auto const& each : cases)
        fmt::print("{:<20} {:.3g} prompts/s, {:.1f} ns each\n", each.name, each.prompts,
                   1e9 / each.prompts);
}

void threads(Setting const& s)
{
    auto const cell = s.cell(500);
    double wall[3] = {0, 0, 0}, busy[3] = {0, 0, 0};
    for (int round = 0; round < 8; ++round) // the least of eight, on a machine that others use
        for (int n = 1; n <= 2; ++n) {
            tbb::global_control const limit(tbb::global_control::max_allowed_parallelism,
                                            static_cast<std::size_t>(n));
            auto const begin = std::chrono::steady_clock::now();
            auto const processor = processor_seconds();
            launch_paths(cell, 0, 64);
            auto const used = processor_seconds() - processor;
            busy[n] = busy[n] == 0 ? used : std::min(busy[n], used);
            std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - begin;
            wall[n] = wall[n] == 0 ? spent.count() : std::min(wall[n], spent.count());
        }
    // What two threads cost each other shows in processor time, which others change less.
    fmt::print("\ntwo threads: {:.2f} times one by the clock; they use {:.3f} times the processor "
               "time of one\n",
               wall[1] / wall[2], busy[2] / busy[1]);
}

} // namespace
} // namespace crx

int main()
{
    using namespace crx;
    auto const low = setting({{10, 10}, {10, 20}}, {1000, 1000}, 0.5);
    auto const high = setting({{20, 100}, {20, 200}, {20, 300}}, {6000, 4000, 2000}, 0.9);
    fmt::print("profile llama2-7b-a100; AO section 6.1's types\n");
    beside_loops("low demand", low, 1);
    beside_loops("high demand", high, 10);
    growth();
    told_apart(low);
    threads(low);
}
