// The dense generalised solver and the operators on one problem, side by side in one run, and the
// cost of an application of the operator against u.

#include "analysis/spectrum/dense.hh"
#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/tail_operator.hh"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <vector>

namespace crx::spectrum {
namespace {

double seconds_of(auto work)
{
    auto const start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One iteration does both; the counters carry the ratio.
void dense_against_operators(benchmark::State& state)
{
    Problem const problem{1, state.range(0), 0};
    double dense_seconds = 0;
    double our_seconds = 0;
    double difference = 0;
    for (auto _ : state) {
        double dense = 0;
        double ours = 0;
        dense_seconds += seconds_of([&] { dense = dense_eigenvalues(problem).maxCoeff(); });
        our_seconds += seconds_of([&] { ours = solve_dominant(problem).rho; });
        difference = ours / dense - 1;
    }
    auto const runs = static_cast<double>(state.iterations());
    state.counters["dense_s"] = dense_seconds / runs;
    state.counters["ours_s"] = our_seconds / runs;
    state.counters["dense/ours"] = dense_seconds / our_seconds;
    state.counters["relative_difference"] = difference;
}
BENCHMARK(dense_against_operators)
    ->Arg(500)
    ->Arg(2000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

void operator_step(benchmark::State& state)
{
    Problem const problem{1, state.range(0), 0};
    TailOperator op(problem);
    std::vector<double> x(static_cast<std::size_t>(problem.size()));
    for (std::int64_t i = 0; i < problem.size(); ++i) x[i] = 1 / static_cast<double>(2 * i + 1);
    double theta = 1;
    for (auto _ : state) {
        auto const step = op.step(x, theta, 0);
        theta += step.cross / step.norm2;
    }
    state.SetItemsProcessed(state.iterations() * problem.size());
    state.SetComplexityN(problem.size());
}
BENCHMARK(operator_step)
    ->RangeMultiplier(10)
    ->Range(1000, 10'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Complexity();

} // namespace
} // namespace crx::spectrum
