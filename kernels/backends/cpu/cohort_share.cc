#include "kernels/backends/cpu/cohort_share.hh"

#include "kernels/engines/cohorts/a_max_batch/a_max_batch.hh"
#include "kernels/engines/cohorts/a_min_batch/a_min_batch.hh"
#include "kernels/engines/cohorts/fixed_length_batch/fixed_length_batch.hh"
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
    if (all_by_cohorts(cell)) open_groups(cell);
}

std::unique_ptr<InstanceBatch> CohortShare::lanes_for(PolicySpec const& spec) const
{
    if (spec.kind == PolicyKind::a_max) return a_max_batch(workload_);
    if (spec.kind != PolicyKind::a_min && spec.kind != PolicyKind::a_min_evict)
        return fixed_length_batch(spec, workload_);
    return a_min_batch_pays(spec.kind, workload_) ? a_min_batch(spec.kind, workload_) : nullptr;
}

void CohortShare::open_groups(Cell const& cell)
{
    auto const add = [&](PolicySpec const& spec) {
        if (std::ranges::find(groups_, spec.kind, &Group::kind) != groups_.end()) return;
        auto lanes = lanes_for(spec);
        if (lanes != nullptr) groups_.push_back({spec.kind, std::move(lanes), {}});
    };
    for (auto const& spec : cell.policies) add(spec);
    for (auto const& group : groups_)
        group_lanes_ = std::max<std::int64_t>(group_lanes_, group.lanes->lanes());
    // One policy that is run alone may take a second an instance.
    if (std::ranges::all_of(cell.policies, [&](PolicySpec const& spec) {
            return std::ranges::find(groups_, spec.kind, &Group::kind) != groups_.end();
        }))
        lanes_ = group_lanes_;
    if (cell.wants(BaselineKind::h_sf) || cell.wants(BaselineKind::mc_sf))
        add({PolicyKind::mc_sf, {}});
    for (auto const& group : groups_)
        group_lanes_ = std::max<std::int64_t>(group_lanes_, group.lanes->lanes());
    group_counts_.resize(counts_.size() * static_cast<std::size_t>(group_lanes_));
}

void CohortShare::draw_counts(std::int64_t instance)
{
    if (workload_.output_kind != OutputKind::table) return;
    auto const count = std::min(group_lanes_, expected_.first + expected_.count - instance);
    if (instance < expected_.first || count < 1)
        crx::draw_counts(workload_, static_cast<std::uint64_t>(instance), counts_.data());
    else
        std::copy_n(counts_of({instance, 1}, count), counts_.size(), counts_.data());
}

std::int64_t const* CohortShare::counts_of(InstanceRange range, std::int64_t most)
{
    if (range.first < drawn_.first || range.first + range.count > drawn_.first + drawn_.count) {
        drawn_ = {range.first, most};
        auto* counts = group_counts_.data();
        for (std::int64_t k = 0; k < most; ++k, counts += counts_.size()) {
            if (workload_.output_kind == OutputKind::table)
                crx::draw_counts(workload_, static_cast<std::uint64_t>(range.first + k), counts);
            else
                std::ranges::copy(counts_, counts);
        }
    }
    return group_counts_.data() +
           static_cast<std::size_t>(range.first - drawn_.first) * counts_.size();
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
    if (auto const group = std::ranges::find(groups_, spec.kind, &Group::kind);
        group != groups_.end() && log.on_event == nullptr)
        if (auto const* const outcome = side_by_side(*group, instance)) return *outcome;
    return execute_cohort(spec, workload_, counts_.data(), instance, block_.get(), bytes_, log);
}

Outcome const* CohortShare::side_by_side(Group& group, std::int64_t instance)
{
    constexpr std::int64_t fewest = 4; // fewer are faster one by one
    auto& [kind, lanes, has] = group;
    if (instance < has.first || instance >= has.first + has.count) {
        auto const end = expected_.first + expected_.count;
        auto const count = std::min<std::int64_t>(lanes->lanes(), end - instance);
        if (instance < expected_.first || count < fewest) return nullptr;
        lanes->execute(instance, static_cast<int>(count),
                       counts_of({instance, count}, std::min(group_lanes_, end - instance)));
        has = {instance, count};
    }
    return &lanes->outcome(static_cast<int>(instance - has.first));
}

std::int64_t CohortShare::volume()
{
    // A composition is the same in all instances.
    if (!volume_ || workload_.output_kind == OutputKind::table)
        volume_ = volume_by_class(workload_, counts_.data(), block_.get(), bytes_);
    return *volume_;
}

} // namespace crx
