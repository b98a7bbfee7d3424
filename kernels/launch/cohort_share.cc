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
    if (!all_by_cohorts(cell) || std::ranges::find(cell.policies, PolicyKind::a_max,
                                                   &PolicySpec::kind) == cell.policies.end())
        return;
    upper_ = UpperLanes::serving(workload_);
    if (upper_ != nullptr)
        upper_counts_.resize(counts_.size() * static_cast<std::size_t>(upper_->lanes()));
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
    if (spec.kind == PolicyKind::a_max && log.on_event == nullptr)
        if (auto const* const outcome = side_by_side(instance)) return *outcome;
    return execute_cohort(spec, workload_, counts_.data(), instance, block_.get(), bytes_, log);
}

Outcome const* CohortShare::side_by_side(std::int64_t instance)
{
    constexpr std::int64_t fewest = 4; // fewer are faster one by one
    if (upper_ == nullptr || instance < expected_.first) return nullptr;
    auto const has = [&] {
        return instance >= upper_has_.first && instance < upper_has_.first + upper_has_.count;
    };
    if (!has()) {
        auto const end = expected_.first + expected_.count;
        auto const count = std::min<std::int64_t>(upper_->lanes(), end - instance);
        if (count < fewest) return nullptr;
        auto* counts = upper_counts_.data();
        for (std::int64_t k = 0; k < count; ++k, counts += counts_.size()) {
            if (workload_.output_kind == OutputKind::table)
                crx::draw_counts(workload_, static_cast<std::uint64_t>(instance + k), counts);
            else
                std::ranges::copy(counts_, counts);
        }
        upper_->execute(instance, static_cast<int>(count), upper_counts_.data());
        upper_has_ = {instance, count};
    }
    return &upper_->outcome(static_cast<int>(instance - upper_has_.first));
}

std::int64_t CohortShare::volume()
{
    return volume_by_class(workload_, counts_.data(), block_.get(), bytes_);
}

} // namespace crx
