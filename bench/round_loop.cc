// The cohort engine beside the C++ round loop, in one run: two-point, n = M = 10^4, u = 100, l =
// 10, half short. Prints ratios of time; times of one machine mean little elsewhere.

#include "bench/round_loop.hh"

#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>

namespace {

using namespace crx;

/// Processor time, not time on the wall: others on a shared machine then do not count.
double seconds_of(auto const& work)
{
    auto const start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Median of `runs` times; others on the machine then matter little.
double median_seconds(int runs, auto const& work)
{
    std::vector<double> times;
    for (int k = 0; k < runs; ++k) times.push_back(seconds_of(work));
    std::ranges::nth_element(times, times.begin() + runs / 2);
    return times[static_cast<std::size_t>(runs / 2)];
}

Workload two_point()
{
    Workload w;
    w.seed = 1;
    w.requests = w.memory = 10000;
    w.output_kind = OutputKind::composition;
    w.output_value = {10, 100};
    w.output_count = {5000, 5000};
    w.interval = {IntervalKind::common, 10, 100, 100, 0, 1};
    return w;
}

/// The round loop's instance: ascending, or in random order for policies that do not know lengths.
/// Making it is not timed, in the loop's favour.
round_loop::Instance loop_instance(Workload const& w, bool ascending)
{
    round_loop::Instance in;
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        in.output.insert(in.output.end(), static_cast<std::size_t>(w.output_count[k]),
                         w.output_value[k]);
    std::mt19937_64 rng(1);
    if (!ascending) std::shuffle(in.output.begin(), in.output.end(), rng);
    in.memory = static_cast<std::int32_t>(w.memory);
    in.lower = w.interval.lower;
    in.upper = w.interval.upper;
    return in;
}

template <round_loop::Check check>
std::int64_t run_loop(PolicyKind kind, round_loop::Instance const& in)
{
    round_loop::Simulator<check> loop(in);
    if (kind == ShortestFirst::kind) return loop.true_lengths();
    return kind == MaxLength::kind ? loop.upper_lengths() : loop.promote_lower();
}

void compare(char const* name, PolicyKind kind)
{
    auto const workload = two_point();
    auto const view = view_of(workload);
    PolicySpec const spec{kind, {}};
    auto const in = loop_instance(workload, kind == ShortestFirst::kind);
    std::vector<std::max_align_t> block(cohort_bytes(spec, view) / sizeof(std::max_align_t) + 1);
    constexpr int batch = 1000;
    Outcome last;
    std::int64_t events = 0, total = 0;
    auto const cohort = median_seconds(51, [&] {
        for (int k = 0; k < batch; ++k) {
            last = execute_cohort(spec, view, workload.output_count.data(), k, block.data(),
                                  block.size() * sizeof(std::max_align_t));
            events += last.events;
        }
    });
    auto const early =
        median_seconds(31, [&] { total += run_loop<round_loop::Check::early_exit>(kind, in); });
    auto const vector =
        median_seconds(31, [&] { total += run_loop<round_loop::Check::branch_free>(kind, in); });
    auto const ours = cohort / batch;
    auto const per_run = static_cast<double>(events) / (51.0 * batch);
    std::printf("%-6s cohort %7.2f us (%5.1f ns an event); round loop, early exit %7.0f us: %6.0f "
                "times; branch-free %7.0f us: %6.0f times\n",
                name, ours * 1e6, ours * 1e9 / per_run, early * 1e6, early / ours, vector * 1e6,
                vector / ours);
    std::printf("       total latency: cohort engine %lld, round loop %lld%s\n",
                static_cast<long long>(last.total_latency), static_cast<long long>(total / 62),
                kind == ShortestFirst::kind ? " (must be equal)" : " (equal in law)");
}

} // namespace

int main()
{
    std::printf("two-point, n = M = 10^4, u = 100, l = 10, half short; one thread\n");
    compare("h-sf", ShortestFirst::kind);
    compare("a-max", MaxLength::kind);
    compare("a-ell", PromoteLower::kind);
}
