#include "kernels/launch/cohort_share.hh"

#include "kernels/laws/draw_counts.cuh"

#include <algorithm>

namespace crx {

CohortShare::CohortShare(Cell const& cell)
    : workload_(view_of(cell.workload)),
      any_(std::ranges::find(cell.engines, EngineKind::cohort) != cell.engines.end())
{
    if (!any_) return;
    counts_.assign(cell.workload.output_count.begin(), cell.workload.output_count.end());
    counts_.resize(cell.workload.output_value.size());
    bytes_ = std::max(cohort_bytes({PolicyKind::mc_sf, {}}, workload_),
                      volume_by_class_bytes(workload_));
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        if (engine_of(cell, k) == EngineKind::cohort)
            bytes_ = std::max(bytes_, cohort_bytes(cell.policies[k], workload_));
    block_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
}

void CohortShare::draw_counts(std::int64_t instance)
{
    if (workload_.output_kind == OutputKind::table)
        crx::draw_counts(workload_, static_cast<std::uint64_t>(instance), counts_.data());
}

void CohortShare::count(std::span<std::int32_t const> outputs)
{
    if (workload_.output_kind != OutputKind::table) return;
    std::ranges::fill(counts_, 0);
    for (auto const output : outputs) {
        auto const at = std::ranges::lower_bound(workload_.output_value, output);
        ++counts_[static_cast<std::size_t>(at - workload_.output_value.begin())];
    }
}

Outcome CohortShare::execute(PolicySpec const& spec, std::int64_t instance, ScheduleLog const& log)
{
    return execute_cohort(spec, workload_, counts_.data(), instance, block_.get(), bytes_, log);
}

std::int64_t CohortShare::volume()
{
    return volume_by_class(workload_, counts_.data(), block_.get(), bytes_);
}

} // namespace crx
