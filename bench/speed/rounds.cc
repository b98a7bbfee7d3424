// The round model: engines beside the plain loop (round_loop.hh), and how their time grows.
#include "bench/speed/cases.hh"

#include "analysis/laws/jaillet_instances.hh"
#include "bench/speed/round_loop.hh"
#include "host/error.hh"
#include "host/input/trace.hh"
#include "kernels/base/seconds_since.hh"
#include "kernels/cpu/policy_run.hh"
#include "kernels/cpu/single.hh"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <random>

namespace crx::bench {
namespace {

using round_loop::Check;
using round_loop::Rule;

struct NamedPolicy
{
    char const* name;
    PolicyKind kind;
    Rule rule;
};
constexpr NamedPolicy two_point_policies[] = {{"h-sf", ShortestFirst::kind, Rule::true_lengths},
                                              {"a-max", MaxLength::kind, Rule::upper_lengths},
                                              {"a-ell", PromoteLower::kind, Rule::promote_lower},
                                              {"a-min", MinLength::kind, Rule::learn}};

void count_items(benchmark::State& state, std::int64_t instances, std::int64_t events = 0)
{
    state.SetItemsProcessed(instances);
    state.counters["s/instance"] = benchmark::Counter(
        static_cast<double>(instances), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    if (events > 0)
        state.counters["events"] = static_cast<double>(events) / static_cast<double>(instances);
}

/// As a sweep runs it: instances made, executed, sums counted. An iteration takes as many instances
/// as last five milliseconds, so that a launch's own work does not count.
void time_sweep(benchmark::State& state, Cell const& cell)
{
    OneThread const one;
    std::int64_t count = widest_batch(CellEngines(cell, Processor::cpu)), next = 0, events = 0;
    auto const launch = [&] {
        auto const begin = std::chrono::steady_clock::now();
        events += static_cast<std::int64_t>(launch_host(cell, {next, count})[0].sums.events);
        next += count;
        return seconds_since(begin);
    };
    while (launch() < 0.005) count *= 2;
    auto const first = next;
    events = 0;
    for (auto _ : state) launch();
    count_items(state, next - first, events);
}

/// One engine of the chain alone; what it does not take is run by those behind it.
void time_engine(benchmark::State& state, Cell const& cell, std::size_t engine)
{
    CellEngines engines(cell, Processor::cpu);
    auto& run = engines.runs.front();
    run.chain.erase(run.chain.begin(), run.chain.begin() + static_cast<std::ptrdiff_t>(engine));
    HostGenerator const generator(view_of(cell.workload));
    LazyInstances instances(run.where, generator, capacity_for(cell, engines));
    PolicyRun policy(run);
    auto const batch = widest_batch(engines);
    std::int64_t next = 0, events = 0;
    for (auto _ : state) {
        auto const end = next + batch;
        instances.expect({next, batch});
        for (; next < end; ++next) events += policy.execute(next, end, instances, {}).events;
    }
    count_items(state, next, events);
}

/// The cell as a sweep runs it.
void add_sweep(std::string const& name, Cell const& cell)
{
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        time_sweep(state, cell);
    })->Unit(benchmark::kMicrosecond);
}

/// As a sweep runs it, and each engine alone, the cheapest first.
void add_engines(std::string const& name, Cell const& cell)
{
    add_sweep(name + "/sweep", cell);
    CellEngines const engines(cell, Processor::cpu);
    auto const& chain = engines.runs.front().chain;
    for (std::size_t k = 0; k < chain.size(); ++k)
        benchmark::RegisterBenchmark(fmt::format("{}/{}", name, chain[k]->name).c_str(),
                                     [=](benchmark::State& state) { time_engine(state, cell, k); })
            ->Unit(benchmark::kMicrosecond);
}

/// Rows of both forms of the plain loop; `run(check)` is the total latency of one instance.
template <class Run>
void add_loops(std::string const& name, Run run)
{
    for (auto const check : {Check::early_exit, Check::branch_free})
        benchmark::RegisterBenchmark(
            (name + (check == Check::early_exit ? "/loop, early exit" : "/loop, branch-free"))
                .c_str(),
            [=](benchmark::State& state) mutable {
                for (auto _ : state) benchmark::DoNotOptimize(run(check));
                count_items(state, static_cast<std::int64_t>(state.iterations()));
            })
            ->Unit(benchmark::kMicrosecond);
}

/// The loop's instance: ascending, or in random order for policies that do not know lengths. It is
/// made beforehand, in the loop's favour.
round_loop::Instance loop_instance(Workload const& w, PolicyKind kind)
{
    round_loop::Instance in;
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        in.output.insert(in.output.end(), static_cast<std::size_t>(w.output_count[k]),
                         w.output_value[k]);
    std::mt19937_64 rng(1);
    if (kind != ShortestFirst::kind) std::shuffle(in.output.begin(), in.output.end(), rng);
    in.memory = static_cast<std::int32_t>(w.memory);
    in.lower = w.interval.lower;
    in.upper = w.interval.upper;
    return in;
}

void add_two_point()
{
    auto const workload = lengths_workload(10'000, 10'000, 10, 100);
    for (auto const& policy : two_point_policies) {
        for (auto const law : {RandomLaw::cohort, RandomLaw::request})
            add_engines(fmt::format("two-point/{}/{}", policy.name, law_name(law)),
                        cell_of(workload, policy.kind, law));
        add_loops(fmt::format("two-point/{}", policy.name),
                  [in = loop_instance(workload, policy.kind), rule = policy.rule](Check check) {
                      return round_loop::total_latency(rule, check, in);
                  });
    }
}

void add_small()
{
    for (auto const& [n, memory] : {std::pair{40, 30}, {50, 40}, {60, 50}}) {
        auto const name = fmt::format("small/n:{},M:{}/mc-sf", n, memory);
        auto cell = cell_of(jaillet_shape(n, memory, memory - 5, 1), ShortestFirst::kind,
                            RandomLaw::request);
        add_engines(name, cell);
        cell.baseline[static_cast<int>(BaselineKind::volume)] = true;
        add_sweep(name + "/volume", cell);
        add_loops(name, [n = n, memory = memory, seed = std::uint64_t{0}](Check check) mutable {
            return round_loop::many_small(check, n, memory, 1, seed++);
        });
    }
    for (Tokens const memory : {40, 80, 200}) // which leave more instances to the portable engine
        add_sweep(
            fmt::format("small/n:50,M:{},o:35/mc-sf", memory),
            cell_of(jaillet_shape(50, memory, 35, 1), ShortestFirst::kind, RandomLaw::request));
}

void add_growth()
{
    for (auto const& policy : two_point_policies) {
        for (std::int64_t n = 100; n <= 10'000'000 && policy.kind != MinLength::kind; n *= 10)
            add_sweep(fmt::format("growth/n=M:{}/{}", n, policy.name),
                      cell_of(lengths_workload(n, n, 10, 100), policy.kind, RandomLaw::cohort));
        for (std::int64_t n = 100; n <= 1'000'000; n *= 10)
            add_sweep(
                fmt::format("growth/n:{},M:1000/{}", n, policy.name),
                cell_of(lengths_workload(n, 1000, 10, 100, 91), policy.kind, RandomLaw::request));
    }
}

/// Which law is the cheaper one: docs/decisions/010-engine-by-cost.md.
void add_choice()
{
    struct Shape
    {
        std::int64_t requests;
        Tokens memory;
        std::int32_t lower, upper;
        std::int64_t lengths;
    };
    for (auto const& s : {Shape{50, 500, 5, 50, 2},
                          {5'000, 5'000, 10, 100, 2},
                          {50, 500, 1, 50, 50},
                          {20'000, 10'000, 1, 50, 50}})
        for (auto const kind : {ShortestFirst::kind, MaxLength::kind, PromoteLower::kind,
                                RandomOrder::kind, MinLength::kind, MinLengthEvict::kind})
            for (auto const law : {RandomLaw::request, RandomLaw::cohort})
                add_sweep(
                    fmt::format("law/n:{},M:{},l:{},u:{},lengths:{}/{}/{}", s.requests, s.memory,
                                s.lower, s.upper, s.lengths, policy_info(kind).id, law_name(law)),
                    cell_of(lengths_workload(s.requests, s.memory, s.lower, s.upper, s.lengths),
                            kind, law));
}

// --- traces
// -------------------------------------------------------------------------------------------

constexpr Tokens trace_memory = 16492; ///< WANG section 6

void add_source(std::filesystem::path const& file, std::int64_t requests, Workload& w)
{
    auto const trace = read_trace(file);
    for (auto const& request : trace.requests) {
        // An upper end is at most 2 o, or 99 more than o.
        auto const longest = std::max(2 * request.output, request.output + 99);
        if (request.prompt + longest > trace_memory) continue;
        w.trace_prompt.push_back(request.prompt);
        w.trace_output.push_back(request.output);
    }
    auto const rows = static_cast<std::int64_t>(w.trace_output.size());
    if (rows == (w.source_end.empty() ? 0 : w.source_end.back()))
        throw InputError(
            fmt::format("{}: no row fits into a memory of {} tokens", file.string(), trace_memory));
    w.source_end.push_back(rows);
    w.source_count.push_back(requests);
}

/// The loop on instance 0, for mc-sf sorted beforehand too, in the loop's favour.
void add_trace_loops(std::string const& name, Workload const& workload, PolicyKind kind)
{
    auto const x = generate_single(workload, 0);
    std::vector<std::size_t> order(x.output.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const sorted = kind == ShortestFirst::kind;
    if (sorted) std::ranges::stable_sort(order, {}, [&](std::size_t i) { return x.output[i]; });
    round_loop::Varied in;
    in.memory = static_cast<std::int32_t>(x.memory);
    for (auto const i : order) {
        in.prompt.push_back(x.prompt[i]);
        in.output.push_back(x.output[i]);
        in.lower.push_back(x.lower[i]);
    }
    add_loops(name, [in, rule = sorted ? Rule::true_lengths : Rule::learn](Check check) {
        return round_loop::total_latency(rule, check, in);
    });
}

/// 2,000 requests, all at 0: 1,600 sampled rows of the first file and 400 of the second.
void add_traces(std::filesystem::path const& first, std::filesystem::path const& second)
{
    Workload w;
    w.seed = 1;
    w.requests = 2000;
    w.memory = trace_memory;
    w.output_kind = OutputKind::trace;
    w.prompt_kind = PromptKind::trace;
    add_source(first, 1600, w);
    add_source(second, 400, w);
    auto const add = [&](std::string const& name, PolicyKind kind) {
        add_engines(name, cell_of(w, kind, RandomLaw::request));
        add_trace_loops(name, w, kind);
    };
    add("traces/mc-sf", ShortestFirst::kind);
    w.interval = {IntervalKind::relative, 1, 1, 100, 1, 2};
    add("traces/a-min, x = 0.5", MinLength::kind);
    w.interval = {IntervalKind::relative, 1, 1, 100, 1, 5};
    add("traces/a-min, x = 0.2", MinLength::kind);
    w.interval = {IntervalKind::buckets, 1, 1, 100, 0, 1};
    add("traces/a-min, buckets", MinLength::kind);
}

} // namespace

void add_round_rows(Settings const& settings)
{
    add_two_point();
    add_small();
    if (settings.traces.size() == 2) add_traces(settings.traces[0], settings.traces[1]);
    add_growth();
    add_choice();
}

} // namespace crx::bench
