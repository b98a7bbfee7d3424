// Every engine of a GPU beside all cores, each alone and then as a sweep runs it, with the same
// sums.
#include "bench/speed/cases.hh"

#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/jaillet_instances.hh"
#include "kernels/base/seconds_since.hh"
#include "kernels/cuda/gpu_times.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace crx::bench {
namespace {

struct Effort
{
    std::int64_t compared = 256; ///< instances of the first launch, whose sums must be the cores'
    double seconds = 0.25;       ///< of a launch that is timed
    int launches = 3;            ///< timed
    std::int64_t scale = 1;      ///< n and M are divided by this
};

/// What a launch at `instances` takes.
template <class Launch>
double seconds_of(Launch const& launch, std::int64_t instances)
{
    auto const begin = std::chrono::steady_clock::now();
    launch({0, instances});
    return seconds_since(begin);
}

/// How many instances last long enough: each launch has eight times as many as the one before, once
/// at least, as few instances leave a GPU idle.
template <class Launch>
std::int64_t enough_instances(Effort const& effort, Launch const& launch)
{
    for (auto count = 8 * effort.compared;; count *= 8)
        if (seconds_of(launch, count) >= effort.seconds || count >= std::int64_t{1} << 30)
            return count;
}

template <class Launch>
std::int64_t time_launches(benchmark::State& state, Effort const& effort, Launch const& launch)
{
    auto const count = enough_instances(effort, launch);
    for (auto _ : state) launch({0, count});
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * count);
    state.counters["instances"] = static_cast<double>(count);
    return count;
}

/// Shares of the time of one more launch, which waits between its tasks, as counters in percent.
void add_task_shares(benchmark::State& state, Cell const& cell, std::int64_t count)
{
    measure_gpu_times(true);
    launch_device(cell, {0, count});
    auto const times = gpu_times();
    measure_gpu_times(false);
    for (int k = 0; k < gpu_tasks; ++k)
        state.counters[std::string("% ") + name_of(static_cast<GpuTask>(k))] =
            100 * times.seconds[k] / times.all();
    if (times.run > 0)
        state.counters["% lost"] =
            100 * static_cast<double>(times.lost) / static_cast<double>(times.run);
}

void time_gpu(benchmark::State& state, Effort const& effort, Cell const& cell)
{
    try {
        if (launch_device(cell, {0, effort.compared}) != launch_host(cell, {0, effort.compared}))
            return state.SkipWithError("other sums than the cores'");
        auto const count =
            time_launches(state, effort, [&](InstanceRange range) { launch_device(cell, range); });
        add_task_shares(state, cell, count);
    } catch (std::exception const& error) {
        measure_gpu_times(false);
        state.SkipWithError(error.what());
    }
}

void add_case(std::string const& name, Cell const& cell, Effort const& effort)
{
    auto const add = [&](std::string const& engine, auto run) {
        benchmark::RegisterBenchmark(fmt::format("gpu/{}/{}/{}/{}", name,
                                                 policy_info(cell.policies.front().kind).id,
                                                 law_name(cell.laws.front()), engine)
                                         .c_str(),
                                     run)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->Iterations(effort.launches);
    };
    add("all cores", [=](benchmark::State& state) {
        time_launches(state, effort, [&](InstanceRange range) { launch_host(cell, range); });
    });
    CellEngines const engines(cell, Processor::gpu);
    auto const chain = engines.runs.front().chain;
    for (auto engine = chain.rbegin(); engine != chain.rend(); ++engine) { // the plainest first
        auto one = cell;
        one.gpu_choice.engine = std::string((*engine)->name);
        add(one.gpu_choice.engine, [=](benchmark::State& state) { time_gpu(state, effort, one); });
    }
    add("as a sweep", [=](benchmark::State& state) { time_gpu(state, effort, cell); });
}

/// Requests that differ in everything, about as those of traces.
Workload varied_workload(std::int64_t requests, Tokens memory)
{
    auto w = jaillet_shape(requests, memory, 400, 1);
    auto const prompt = uniform_law(1, 1000);
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    w.interval = {IntervalKind::relative, 1, 1, 100, 1, 2};
    return w;
}

} // namespace

void add_gpu_rows(Settings const& settings)
{
    if (find_device().name.empty()) return;
    auto const effort = settings.quick ? Effort{1, 0, 1, 500} : Effort{};
    auto const n = std::max<std::int64_t>(10'000 / effort.scale, 20);
    auto const m = std::max<Tokens>(10'000 / effort.scale, 100); // an output has up to 100
    auto const varied = std::max<std::int64_t>(2'000 / effort.scale, 20);
    for (Tokens const memory : {40, 100, 200}) {
        auto cell =
            cell_of(jaillet_shape(50, memory, 35, 1), ShortestFirst::kind, RandomLaw::request);
        for (auto const kind : {BaselineKind::h_sf, BaselineKind::volume})
            cell.baseline[static_cast<int>(kind)] = true;
        add_case(fmt::format("small n:50,M:{}", memory), cell, effort);
    }
    for (auto const law : {RandomLaw::cohort, RandomLaw::request})
        for (auto const kind :
             {ShortestFirst::kind, MaxLength::kind, PromoteLower::kind, MinLength::kind})
            add_case(fmt::format("two-point n:{},M:{}", n, m),
                     cell_of(lengths_workload(n, m, 10, 100), kind, law), effort);
    for (auto const kind : {ShortestFirst::kind, MaxLength::kind, MinLength::kind})
        add_case(fmt::format("varied n:{},M:16492", varied),
                 cell_of(varied_workload(varied, 16'492), kind, RandomLaw::request), effort);
}

} // namespace crx::bench
