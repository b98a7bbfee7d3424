#pragma once

#include "kernels/backends/cell.hh"
#include "kernels/backends/cuda/device_cohorts.cuh"
#include "kernels/backends/cuda/device_mc_sf_batch.cuh"
#include "kernels/backends/cuda/device_requests.cuh"
#include "kernels/backends/cuda/device_tally.cuh"
#include "kernels/backends/cuda/engine_variants.cuh"
#include "kernels/model/denominator.cuh"

#include <thrust/transform.h>

namespace crx {

inline bool wants_bound(Cell const& cell)
{
    return cell.wants(BaselineKind::volume) || cell.wants(BaselineKind::release);
}

/// What runs MC-SF and the bound of this cell's instances without writing them down; null: nothing
/// can, or nobody asks.
inline std::unique_ptr<DeviceLockstep> mc_sf_batch_for(Cell const& cell,
                                                       WorkloadView const& on_device)
{
    auto const asked = cell.wants(BaselineKind::h_sf) || cell.wants(BaselineKind::mc_sf) ||
                       std::ranges::find(cell.policies, PolicyKind::mc_sf, &PolicySpec::kind) !=
                           cell.policies.end();
    if (any_by_cohorts(cell) || !asked || !cell.device_variant.empty()) return nullptr;
    return DeviceLockstep::serving(cell.workload, on_device, wants_bound(cell));
}

/// Not inside of BatchRun: kernels are made of it.
struct Denominator
{
    CRX_HD std::int64_t operator()(Outcome const& outcome) const { return denominator_of(outcome); }
};

/// One batch of a cell's instances on the device.
class BatchRun
{
  public:
    BatchRun(Cell const& cell, Batch const& batch, DeviceLockstep const* mc_sf_batch)
        : cell_(cell), batch_(batch), mc_sf_batch_(mc_sf_batch),
          slots_(static_cast<std::size_t>(batch.count)), outcome_(slots_)
    {
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell.baseline[b]) bound_[b].resize(slots_);
    }

    void add_to(Tally& tally)
    {
        make_instances();
        if (mc_sf_batch_ != nullptr) run_lockstep();
        compute_shortest_first();
        compute_bounds();
        for (std::size_t k = 0; k < cell_.policies.size(); ++k) {
            auto const* const outcomes = run_policy(k);
            BatchResults results{outcomes, {}, batch_.first, batch_.count};
            for (int b = 0; b < baseline_kinds; ++b) results.baseline[b] = baseline(b);
            tally[k].sums.add(sum_up(results));
            for (int b = 0; b < baseline_kinds; ++b) {
                if (baseline(b) == nullptr) continue;
                thrust::device_vector<std::uint32_t> bins(slots_);
                launch(batch_.count,
                       BinSlot{outcomes, baseline(b), thrust::raw_pointer_cast(bins.data())});
                add_histogram(bins, tally[k].histogram[b]);
            }
        }
    }

  private:
    std::int64_t* baseline(int b)
    {
        return cell_.baseline[b] ? thrust::raw_pointer_cast(bound_[b].data()) : nullptr;
    }
    std::int64_t* baseline(BaselineKind kind) { return baseline(static_cast<int>(kind)); }

    /// Whether anything is left to run request by request.
    bool needs_requests() const
    {
        if (mc_sf_batch_ == nullptr) return true;
        return (wants_bound(cell_) && !mc_sf_batch_->has_volume()) ||
               std::ranges::any_of(cell_.policies, [](PolicySpec const& spec) {
                   return spec.kind != PolicyKind::mc_sf;
               });
    }

    /// Requests of the batch's instances, counts of them, or both, as the cell's engines need.
    void make_instances()
    {
        auto const drawn = cell_.workload.output_kind == OutputKind::table;
        if (all_by_cohorts(cell_)) {
            if (drawn) draw_counts_of(batch_);
            return;
        }
        if (needs_requests()) generate_requests_of(batch_);
        if (drawn && any_by_cohorts(cell_)) count_requests_of(batch_);
    }

    void run_lockstep()
    {
        shortest_first_.resize(slots_);
        auto* const outcomes = thrust::raw_pointer_cast(shortest_first_.data());
        std::int64_t* bound = nullptr;
        if (wants_bound(cell_) && mc_sf_batch_->has_volume())
            bound = baseline(cell_.wants(BaselineKind::volume) ? BaselineKind::volume
                                                               : BaselineKind::release);
        mc_sf_batch_->execute(batch_.first, batch_.count, outcomes, bound);
        repair_shortest_first(batch_, outcomes);
    }

    void compute_shortest_first()
    {
        if (!cell_.wants(BaselineKind::h_sf) && !cell_.wants(BaselineKind::mc_sf)) return;
        auto const* outcomes = &shortest_first_;
        if (mc_sf_batch_ == nullptr) {
            auto* const to = thrust::raw_pointer_cast(outcome_.data());
            if (any_by_cohorts(cell_))
                run_cohorts(cell_, {PolicyKind::mc_sf, {}}, batch_, to);
            else
                run_requests(cell_, {PolicyKind::mc_sf, {}}, batch_, to);
            outcomes = &outcome_;
        }
        for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
            if (cell_.wants(kind))
                thrust::transform(outcomes->begin(), outcomes->end(),
                                  bound_[static_cast<int>(kind)].begin(), Denominator{});
    }

    void compute_bounds()
    {
        if (mc_sf_batch_ != nullptr && mc_sf_batch_->has_volume()) {
            // With all at 0, as there, the release bound is the volume bound.
            if (cell_.wants(BaselineKind::volume) && cell_.wants(BaselineKind::release))
                bound_[static_cast<int>(BaselineKind::release)] =
                    bound_[static_cast<int>(BaselineKind::volume)];
            return;
        }
        for (auto const kind : {BaselineKind::volume, BaselineKind::release}) {
            if (!cell_.wants(kind)) continue;
            if (any_by_cohorts(cell_)) // all at 0 here too
                bound_by_class(batch_, baseline(kind));
            else if (kind == BaselineKind::volume)
                run_volume(cell_, batch_, baseline(kind));
            else
                bound_release(batch_, baseline(kind));
        }
    }

    /// The outcomes of the k-th policy.
    Outcome const* run_policy(std::size_t k)
    {
        auto const& spec = cell_.policies[k];
        if (mc_sf_batch_ != nullptr && spec.kind == PolicyKind::mc_sf)
            return thrust::raw_pointer_cast(shortest_first_.data());
        auto* const outcomes = thrust::raw_pointer_cast(outcome_.data());
        if (law_of(cell_, k) == RandomLaw::cohort)
            run_cohorts(cell_, spec, batch_, outcomes);
        else
            run_requests(cell_, spec, batch_, outcomes);
        return outcomes;
    }

    Cell const& cell_;
    Batch batch_;
    DeviceLockstep const* mc_sf_batch_;
    std::size_t slots_;
    thrust::device_vector<Outcome> outcome_, shortest_first_;
    thrust::device_vector<std::int64_t> bound_[baseline_kinds];
};

} // namespace crx
