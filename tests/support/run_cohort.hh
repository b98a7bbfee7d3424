#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "kernels/policies/ladder.cuh"

#include <cstddef>
#include <random>
#include <stdexcept>
#include <vector>

/// One instance by the cohort engine and by the request engine.
namespace crx_test {

inline crx::Outcome by_cohorts(crx::PolicySpec const& spec, crx::Workload const& workload,
                               std::int64_t instance)
{
    auto const view = crx::view_of(workload);
    auto const refusal = crx::cohort_refusal(spec, view);
    if (!refusal.empty()) throw std::invalid_argument(refusal);
    std::vector<std::max_align_t> block(crx::cohort_bytes(spec, view) / sizeof(std::max_align_t) +
                                        1);
    return crx::execute_cohort(spec, view, workload.output_count.data(), instance, block.data(),
                               block.size() * sizeof(std::max_align_t));
}

inline crx::Outcome by_requests(crx::PolicySpec const& spec, crx::Workload const& workload,
                                std::int64_t number)
{
    return crx::execute_single(spec, crx::generate_single(workload, number), workload.seed, number)
        .outcome;
}

/// The policy; a-ladder gets up to six rising levels of its own.
inline crx::PolicySpec random_spec(std::mt19937_64& rng, crx::PolicyKind kind)
{
    crx::PolicySpec spec{kind, {}};
    if (kind != crx::Ladder::kind) return spec;
    std::int32_t level = 0;
    for (auto left = 1 + rng() % 6; left > 0; --left)
        spec.levels.level[spec.levels.count++] = level += 1 + static_cast<std::int32_t>(rng() % 12);
    return spec;
}

} // namespace crx_test
