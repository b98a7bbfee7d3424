// Neighbours of the search for worst instances, n <= 8 and M <= 16: as `crx search` runs them,
// beside a loop that does for each what `crx simulate` (and, over the optimum, `crx baseline`)
// does.
#include "bench/speed/cases.hh"

#include "analysis/baseline/hindsight.hh"
#include "analysis/worst/annealing.hh"
#include "kernels/cpu/single.hh"

#include <benchmark/benchmark.h>

namespace crx::bench {
namespace {

struct SearchCase
{
    char const* name;
    PolicyKind policy;
    std::int64_t draws; ///< over whose mean a ratio is taken
    bool over_opt;      ///< else over mc-sf
};
constexpr SearchCase cases[] = {{"mc-sf over opt", ShortestFirst::kind, 1, true},
                                {"a-max over h-sf", MaxLength::kind, 1, false},
                                {"a-min over h-sf, 64 draws", MinLength::kind, 64, false}};
constexpr std::uint32_t plain_stream = 1u << 21;

worst::InstanceClass instances_of(SearchCase const& which)
{
    worst::InstanceClass of;
    if (!which.over_opt) of.told = worst::Told::intervals;
    return of;
}

/// Chains that begin anew, the best of each settled.
void anneal(benchmark::State& state, SearchCase const& which)
{
    OneThread const one;
    auto const total = worst::Measure::total_latency;
    worst::Objective objective;
    objective.numerator = worst::policy_cost({which.policy, {}}, 1, which.draws, total);
    if (!which.over_opt) {
        objective.over = worst::Over::cost;
        objective.denominator = worst::policy_cost({ShortestFirst::kind, {}}, 1, 1, total);
    }
    worst::AnnealingLimits limits;
    limits.generations = 1;
    limits.seed = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(worst::anneal(instances_of(which), objective, limits));
        ++limits.seed;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * limits.neighbours *
                            worst::chains_a_generation);
}

void plain_loop(benchmark::State& state, SearchCase const& which)
{
    auto const of = instances_of(which);
    WordStream words(1, plain_stream, 0);
    auto member = worst::random_member(of, words);
    for (auto _ : state) {
        member = worst::neighbour(of, member, words);
        for (std::int64_t k = 0; k < which.draws; ++k)
            benchmark::DoNotOptimize(execute_single({which.policy, {}}, member, 1, k));
        if (which.over_opt)
            benchmark::DoNotOptimize(baseline::hindsight(member, {}));
        else
            benchmark::DoNotOptimize(execute_single({ShortestFirst::kind, {}}, member, 1, 0));
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

} // namespace

void add_search_rows()
{
    for (auto const& which : cases) {
        auto const add = [&](char const* what, auto run) {
            benchmark::RegisterBenchmark((std::string("search/") + which.name + what).c_str(), run,
                                         which)
                ->Unit(benchmark::kMicrosecond);
        };
        add("/search", anneal);
        add("/loop", plain_loop);
    }
}

} // namespace crx::bench
