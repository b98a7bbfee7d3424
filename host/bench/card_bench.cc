#include "host/bench/card_bench.hh"

#include "analysis/laws/discrete_laws.hh"
#include "analysis/laws/jaillet_shape.hh"
#include "host/bench/bench_cases.hh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/policy_info.hh"

#include <algorithm>
#include <fmt/core.h>

namespace crx {
namespace {

struct CardCase
{
    std::string name;
    Workload workload;
    std::vector<PolicyKind> policies;
    RandomLaw law;
    bool baselines = false; ///< H-SF and the volume bound, as a sweep has them
};

/// 2,000 requests that differ in everything, about as those of traces.
Workload varied_workload(std::int64_t requests, Tokens memory)
{
    auto w = jaillet_shape(requests, memory, 400, 1);
    auto const prompt = uniform_law(1, 1000);
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    w.interval = {IntervalKind::relative, 1, 1, 100, 1, 2};
    return w;
}

std::vector<CardCase> card_cases(std::int64_t scale)
{
    std::vector<PolicyKind> two_point;
    for (auto const& policy : bench_policies) two_point.push_back(policy.kind);
    auto const n = std::max<std::int64_t>(10'000 / scale, 20);
    auto const m = std::max<Tokens>(10'000 / scale, 100); // an output has up to 100
    auto const varied = std::max<std::int64_t>(2'000 / scale, 20);
    auto const name = [](std::string const& shape, std::int64_t requests, Tokens memory) {
        return fmt::format("{}, n = {}, M = {}", shape, requests, memory);
    };
    std::vector<CardCase> cases;
    for (auto const law : {RandomLaw::cohort, RandomLaw::request})
        cases.push_back(
            {name("two-point", n, m), two_point_workload(n, m, 10, 100), two_point, law});
    for (Tokens const memory : {40, 100, 200})
        cases.push_back({name("JAILLET's shape", 50, memory),
                         jaillet_shape(50, memory, 35, 1),
                         {ShortestFirst::kind},
                         RandomLaw::request,
                         true});
    cases.push_back({name("varied", varied, 16'492),
                     varied_workload(varied, 16'492),
                     {ShortestFirst::kind, MaxLength::kind, MinLength::kind},
                     RandomLaw::request});
    return cases;
}

Cell cell_of(CardCase const& c, PolicyKind policy)
{
    Cell cell;
    cell.workload = c.workload;
    cell.policies = {{policy, {}}};
    std::ranges::fill(cell.baseline, false);
    for (auto const kind : {BaselineKind::h_sf, BaselineKind::volume})
        cell.baseline[static_cast<int>(kind)] = c.baselines;
    cell.laws = {c.law};
    return cell;
}

struct TimedLaunch
{
    std::int64_t instances;
    double seconds;
};

/// Launches more and more instances, each time up to eight times as many, until a launch lasts long
/// enough, four times the first too, as few instances leave a GPU idle; the last one's time.
template <class Launch>
TimedLaunch timed(Launch launch, std::int64_t first, double budget)
{
    auto const end = wall_seconds() + budget;
    auto const enough = std::min(0.5, budget / 4);
    for (TimedLaunch last{first, 0}, before{};; before = last, last.instances *= 8) {
        auto const begin = wall_seconds();
        launch(InstanceRange{0, last.instances});
        last.seconds = wall_seconds() - begin;
        auto const next = wall_seconds() + 8 * last.seconds;
        if ((last.seconds >= enough && last.seconds >= 4 * before.seconds) || next > end)
            return last;
    }
}

CardVariant timed_variant(Cell cell, std::string const& engine, CardBenchEffort const& effort,
                          double budget, InstanceRange compared, Tally const& expected)
{
    CardVariant variant;
    variant.engine = engine.empty() ? "as a sweep" : engine;
    cell.gpu_choice.engine = engine;
    try {
        variant.equal = launch_device(cell, compared) == expected;
        auto const last = timed([&](InstanceRange range) { launch_device(cell, range); },
                                effort.instances, budget * 0.7);
        variant.instances = last.instances;
        variant.seconds = last.seconds;
        measure_gpu_times(true);
        launch_device(cell, {0, last.instances});
        variant.times = gpu_times();
        measure_gpu_times(false);
    } catch (std::exception const& error) {
        measure_gpu_times(false);
        variant.failure = error.what();
    }
    return variant;
}

/// Names of the engines of a GPU that take the cell's policy, the plainest first.
std::vector<std::string> engines_on_card(Cell const& cell)
{
    std::vector<std::string> names;
    CellEngines const engines(cell, Processor::gpu);
    for (auto const* const engine : engines.runs.front().chain)
        names.insert(names.begin(), std::string(engine->name));
    return names;
}

CardComparison compare(CardCase const& c, PolicyKind policy, CardBenchEffort const& effort,
                       double budget)
{
    auto const cell = cell_of(c, policy);
    auto engines = engines_on_card(cell);
    engines.push_back("");
    CardComparison comparison{c.name, policy_info(policy).id, c.law, 0, 0, {}};
    auto const share = budget / static_cast<double>(engines.size() + 1);
    auto const cores =
        timed([&](InstanceRange range) { launch_host(cell, range); }, effort.instances, share);
    comparison.cores_instances = cores.instances;
    comparison.cores_seconds = cores.seconds;
    auto const slow = effort.scale > 1; // then what the cores do in a moment takes it minutes
    InstanceRange const compared{0, slow ? std::min(cores.instances, 8 * effort.instances)
                                         : cores.instances};
    auto const expected = launch_host(cell, compared);
    for (auto const& engine : engines)
        comparison.variants.push_back(
            timed_variant(cell, engine, effort, share, compared, expected));
    return comparison;
}

} // namespace

std::vector<CardComparison> bench_card(CardBenchEffort const& effort)
{
    if (auto const device = find_device(); device.name.empty())
        throw std::runtime_error("no CUDA device: " + device.reason);
    auto const cases = card_cases(effort.scale);
    std::size_t all = 0;
    for (auto const& c : cases) all += c.policies.size();
    std::vector<CardComparison> comparisons;
    for (auto const& c : cases)
        for (auto const policy : c.policies)
            comparisons.push_back(
                compare(c, policy, effort, effort.seconds / static_cast<double>(all)));
    return comparisons;
}

} // namespace crx
