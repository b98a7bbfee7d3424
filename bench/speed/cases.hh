#pragma once

#include "kernels/engines/cell.hh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <filesystem>
#include <string>
#include <tbb/global_control.h>
#include <vector>

/// What crx_bench times: docs/performance.md says what the rows mean.
namespace crx::bench {

/// While one lives, launches use one thread, the one whose processor time is measured.
struct OneThread
{
    tbb::global_control limit{tbb::global_control::max_allowed_parallelism, 1};
};

/// What the command line says beside Google Benchmark's own options.
struct Settings
{
    std::vector<std::filesystem::path> traces; ///< none or two: conversations and summaries
    bool quick = false;                        ///< GPU rows: smallest sizes, for a slow device
};

// Each adds rows, named CASE/POLICY/ENGINE.
void add_round_rows(Settings const& settings);
void add_iteration_rows();
void add_search_rows();
/// Every engine of a GPU beside all cores; none where there is no GPU.
void add_gpu_rows(Settings const& settings);

inline std::string law_name(RandomLaw law)
{
    return law == RandomLaw::cohort ? "cohorts" : "requests";
}

/// n requests of as many equally frequent lengths from l to u, prompt 0, all at 0.
inline Workload lengths_workload(std::int64_t n, Tokens memory, std::int32_t lower,
                                 std::int32_t upper, std::int64_t lengths = 2)
{
    Workload w;
    w.seed = 1;
    w.requests = n;
    w.memory = memory;
    w.output_kind = OutputKind::composition;
    for (std::int64_t k = 0; k < lengths; ++k) {
        w.output_value.push_back(
            static_cast<std::int32_t>(lower + (upper - lower) * k / (lengths - 1)));
        w.output_count.push_back(n * (k + 1) / lengths - n * k / lengths);
    }
    w.interval = {IntervalKind::common, lower, upper, 100, 0, 1};
    return w;
}

/// One policy, no baselines.
inline Cell cell_of(Workload const& workload, PolicyKind policy, RandomLaw law)
{
    Cell cell;
    cell.workload = workload;
    cell.policies = {{policy, {}}};
    std::ranges::fill(cell.baseline, false);
    cell.laws = {law};
    return cell;
}

} // namespace crx::bench
