#pragma once

#include "kernels/cohort/cohort.hh"
#include "kernels/launch/single.hh"

#include <cstddef>
#include <vector>

/// One instance by the cohort engine and by the request engine.
namespace crx_test {

inline crx::Outcome by_cohorts(crx::PolicySpec const& spec, crx::Workload const& workload,
                               std::int64_t instance)
{
    auto const view = crx::view_of(workload);
    std::vector<std::max_align_t> block(crx::cohort_bytes(spec, view) / sizeof(std::max_align_t) +
                                        1);
    return crx::execute_cohort(spec, view, instance, block.data(),
                               block.size() * sizeof(std::max_align_t))
        .value();
}

inline crx::Outcome by_requests(crx::PolicySpec const& spec, crx::Workload const& workload,
                                std::int64_t number)
{
    return crx::execute_single(spec, crx::generate_single(workload, number), workload.seed, number)
        .outcome;
}

} // namespace crx_test
