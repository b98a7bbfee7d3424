// Cost of the cohort engine as n grows at fixed n/M, two-point and uniform compositions; processor
// time.

#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <benchmark/benchmark.h>
#include <cstddef>
#include <vector>

namespace crx {
namespace {

/// n = M, l = 10, u = 100: `classes` equally frequent lengths from l to u.
Workload composition(std::int64_t n, std::int64_t classes)
{
    Workload w;
    w.seed = 1;
    w.memory = n;
    w.output_kind = OutputKind::composition;
    w.interval = {IntervalKind::common, 10, 100, 100, 0, 1};
    for (std::int64_t k = 0; k < classes; ++k) {
        w.output_value.push_back(static_cast<std::int32_t>(10 + 90 * k / (classes - 1)));
        w.output_count.push_back(n / classes);
        w.requests += n / classes;
    }
    return w;
}

void grow(benchmark::State& state, PolicyKind kind, std::int64_t classes)
{
    auto const workload = composition(state.range(0), classes);
    auto const view = view_of(workload);
    PolicySpec spec{kind, {}};
    if (kind == Ladder::kind) spec.levels = {4, {10, 20, 40, 80}};
    std::vector<std::max_align_t> block(cohort_bytes(spec, view) / sizeof(std::max_align_t) + 1);
    std::int64_t instance = 0, events = 0;
    for (auto _ : state) {
        auto const outcome = execute_cohort(spec, view, workload.output_count.data(), instance++,
                                            block.data(), block.size() * sizeof(std::max_align_t));
        events += outcome.events;
    }
    auto const runs = static_cast<double>(instance);
    state.counters["events"] = static_cast<double>(events) / runs;
    state.counters["KiB"] = static_cast<double>(block.size() * sizeof(std::max_align_t)) / 1024;
}

void sizes(benchmark::internal::Benchmark* bench)
{
    bench->RangeMultiplier(10)->Range(10'000, 10'000'000)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(grow, h_sf_two_point, ShortestFirst::kind, 2)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_max_two_point, MaxLength::kind, 2)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_ell_two_point, PromoteLower::kind, 2)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_random_two_point, RandomOrder::kind, 2)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_ladder_two_point, Ladder::kind, 2)->Apply(sizes);
BENCHMARK_CAPTURE(grow, h_sf_ten_classes, ShortestFirst::kind, 10)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_max_ten_classes, MaxLength::kind, 10)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_ell_ten_classes, PromoteLower::kind, 10)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_random_ten_classes, RandomOrder::kind, 10)->Apply(sizes);
BENCHMARK_CAPTURE(grow, a_ladder_ten_classes, Ladder::kind, 10)->Apply(sizes);

/// n = 10^8, M = 10^7: the sizes at which the theorems speak.
void hundred_million(benchmark::State& state, PolicyKind kind)
{
    auto workload = composition(100'000'000, 2);
    workload.memory = 10'000'000;
    auto const view = view_of(workload);
    PolicySpec spec{kind, {}};
    if (kind == Ladder::kind) spec.levels = {4, {10, 20, 40, 80}};
    std::vector<std::max_align_t> block(cohort_bytes(spec, view) / sizeof(std::max_align_t) + 1);
    for (auto _ : state)
        benchmark::DoNotOptimize(execute_cohort(spec, view, workload.output_count.data(), 0,
                                                block.data(),
                                                block.size() * sizeof(std::max_align_t)));
}
BENCHMARK_CAPTURE(hundred_million, h_sf, ShortestFirst::kind)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hundred_million, a_max, MaxLength::kind)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hundred_million, a_ell, PromoteLower::kind)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hundred_million, a_random, RandomOrder::kind)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace crx
