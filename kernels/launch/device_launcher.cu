#include "kernels/cohort/cohort.hh"
#include "kernels/launch/cell.hh"
#include "kernels/launch/device_cohorts.cuh"
#include "kernels/launch/device_lockstep.cuh"
#include "kernels/launch/device_tally.cuh"
#include "kernels/launch/device_workload.cuh"
#include "kernels/launch/execute.cuh"

#include <algorithm>
#include <thrust/device_vector.h>
#include <thrust/transform.h>

namespace crx {
namespace {

struct GenerateSlot
{
    Batch batch;
    CRX_HD void operator()(std::int64_t slot) const
    {
        generate(batch.workload, static_cast<std::uint64_t>(batch.first + slot),
                 batch.requests_of(slot));
    }
};

template <class P>
struct ExecuteSlot
{
    Batch batch;
    P policy;
    Outcome* outcome;
    CRX_HD void operator()(std::int64_t slot) const
    {
        outcome[slot] = execute_policy(policy, batch.requests_of(slot), batch.workload.seed,
                                       static_cast<std::uint64_t>(batch.first + slot),
                                       batch.engine_of(slot), batch.engine_bytes);
    }
};

template <class Bound>
struct BoundSlot
{
    Batch batch;
    std::int64_t* bound;
    CRX_HD void operator()(std::int64_t slot) const
    {
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        bound[slot] = Bound(arena, batch.workload.requests).execute(batch.requests_of(slot));
    }
};

/// Runs MC-SF where DeviceLockstep did not: the slot's requests are written for it.
struct RepairSlot
{
    Batch batch;
    Outcome* outcome;
    CRX_HD void operator()(std::int64_t slot) const
    {
        if (outcome[slot].finished != 0) return;
        GenerateSlot{batch}(slot);
        ExecuteSlot<ShortestFirst>{batch, {}, outcome}(slot);
    }
};

void launch_policy(PolicySpec const& spec, Batch const& batch, Outcome* outcome)
{
    with_policy(spec, [&]<class P>(P const& policy) {
        launch(batch.count, ExecuteSlot<P>{batch, policy, outcome});
    });
}

/// Slots that fit in the memory that is free now, at most `wanted`.
std::int64_t slots_that_fit(std::int64_t wanted, std::size_t bytes_a_slot)
{
    std::size_t free_bytes = 0, all_bytes = 0;
    CRX_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
    auto const fit = static_cast<std::int64_t>(free_bytes / 10 * 8 / bytes_a_slot);
    if (fit == 0)
        throw std::runtime_error("an instance needs " + std::to_string(bytes_a_slot) +
                                 " bytes on the device, free are " + std::to_string(free_bytes));
    return std::min(wanted, fit);
}

bool wants_bound(Cell const& cell)
{
    return cell.wants(BaselineKind::volume) || cell.wants(BaselineKind::release);
}

/// What runs MC-SF and the bound of this cell's instances without writing them down; null: nothing
/// can, or nobody asks.
std::unique_ptr<DeviceLockstep> lockstep_for(Cell const& cell, WorkloadView const& on_device)
{
    auto const asked = cell.wants(BaselineKind::h_sf) || cell.wants(BaselineKind::mc_sf) ||
                       std::ranges::find(cell.policies, PolicyKind::mc_sf, &PolicySpec::kind) !=
                           cell.policies.end();
    if (any_by_cohorts(cell) || !asked) return nullptr;
    return DeviceLockstep::serving(cell.workload, on_device, wants_bound(cell));
}

/// One batch of a cell's instances on the device.
class BatchRun
{
  public:
    BatchRun(Cell const& cell, Batch const& batch, DeviceLockstep const* lockstep)
        : cell_(cell), batch_(batch), lockstep_(lockstep),
          slots_(static_cast<std::size_t>(batch.count)), outcome_(slots_)
    {
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell.baseline[b]) bound_[b].resize(slots_);
    }

    void add_to(Tally& tally)
    {
        make_instances();
        if (lockstep_ != nullptr) run_lockstep();
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
        if (lockstep_ == nullptr) return true;
        return (wants_bound(cell_) && !lockstep_->has_volume()) ||
               std::ranges::any_of(cell_.policies, [](PolicySpec const& spec) {
                   return spec.kind != PolicyKind::mc_sf;
               });
    }

    /// Requests of the batch's instances, counts of them, or both, as the cell's engines need.
    void make_instances()
    {
        auto const drawn = cell_.workload.output_kind == OutputKind::table;
        if (all_by_cohorts(cell_)) {
            if (drawn) launch(batch_.count, DrawCountsSlot{batch_});
            return;
        }
        if (needs_requests()) launch(batch_.count, GenerateSlot{batch_});
        if (drawn && any_by_cohorts(cell_)) launch(batch_.count, CountSlot{batch_});
    }

    void run_lockstep()
    {
        shortest_first_.resize(slots_);
        auto* const outcomes = thrust::raw_pointer_cast(shortest_first_.data());
        std::int64_t* bound = nullptr;
        if (wants_bound(cell_) && lockstep_->has_volume())
            bound = baseline(cell_.wants(BaselineKind::volume) ? BaselineKind::volume
                                                               : BaselineKind::release);
        lockstep_->execute(batch_.first, batch_.count, outcomes, bound);
        launch(batch_.count, RepairSlot{batch_, outcomes});
    }

    void compute_shortest_first()
    {
        if (!cell_.wants(BaselineKind::h_sf) && !cell_.wants(BaselineKind::mc_sf)) return;
        auto const* outcomes = &shortest_first_;
        if (lockstep_ == nullptr) {
            auto* const to = thrust::raw_pointer_cast(outcome_.data());
            if (any_by_cohorts(cell_))
                launch_cohorts({PolicyKind::mc_sf, {}}, batch_, to);
            else
                launch_policy({PolicyKind::mc_sf, {}}, batch_, to);
            outcomes = &outcome_;
        }
        for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
            if (cell_.wants(kind))
                thrust::transform(outcomes->begin(), outcomes->end(),
                                  bound_[static_cast<int>(kind)].begin(), TotalLatency{});
    }

    void compute_bounds()
    {
        if (lockstep_ != nullptr && lockstep_->has_volume()) {
            // With all at 0, as there, the release bound is the volume bound.
            if (cell_.wants(BaselineKind::volume) && cell_.wants(BaselineKind::release))
                bound_[static_cast<int>(BaselineKind::release)] =
                    bound_[static_cast<int>(BaselineKind::volume)];
            return;
        }
        for (auto const kind : {BaselineKind::volume, BaselineKind::release}) {
            if (!cell_.wants(kind)) continue;
            if (any_by_cohorts(cell_)) // all at 0 here too
                launch(batch_.count, BoundByClassSlot{batch_, baseline(kind)});
            else if (kind == BaselineKind::volume)
                launch(batch_.count, BoundSlot<VolumeBound>{batch_, baseline(kind)});
            else
                launch(batch_.count, BoundSlot<ReleaseBound>{batch_, baseline(kind)});
        }
    }

    /// The outcomes of the k-th policy.
    Outcome const* run_policy(std::size_t k)
    {
        auto const& spec = cell_.policies[k];
        if (lockstep_ != nullptr && spec.kind == PolicyKind::mc_sf)
            return thrust::raw_pointer_cast(shortest_first_.data());
        auto* const outcomes = thrust::raw_pointer_cast(outcome_.data());
        if (engine_of(cell_, k) == EngineKind::cohort)
            launch_cohorts(spec, batch_, outcomes);
        else
            launch_policy(spec, batch_, outcomes);
        return outcomes;
    }

    struct TotalLatency
    {
        CRX_HD std::int64_t operator()(Outcome const& outcome) const
        {
            return outcome.total_latency;
        }
    };

    Cell const& cell_;
    Batch batch_;
    DeviceLockstep const* lockstep_;
    std::size_t slots_;
    thrust::device_vector<Outcome> outcome_, shortest_first_;
    thrust::device_vector<std::int64_t> bound_[baseline_kinds];
};

} // namespace

Tally launch_device(Cell const& cell, InstanceRange range)
{
    auto const device = find_device();
    if (device.name.empty()) throw std::runtime_error("no CUDA device: " + device.reason);

    DeviceWorkload const workload(cell.workload);
    auto const n = all_by_cohorts(cell) ? 0 : cell.workload.requests;
    Batch batch;
    batch.workload = workload.view();
    batch.request_bytes = request_bytes(n);
    batch.engine_bytes = std::max(VolumeBound::arena_bytes(n), engine_bytes({}, n));
    for (auto const& spec : cell.policies)
        batch.engine_bytes = std::max(batch.engine_bytes, engine_bytes(spec, n));
    if (cell.wants(BaselineKind::release))
        batch.engine_bytes = std::max(batch.engine_bytes, ReleaseBound::arena_bytes(n));

    auto const classes = any_by_cohorts(cell) ? cell.workload.output_value.size() : 0;
    if (classes > 0) {
        auto const host = view_of(cell.workload);
        batch.engine_bytes =
            std::max({batch.engine_bytes, cohort_bytes({PolicyKind::mc_sf, {}}, host),
                      volume_by_class_bytes(host)});
        for (std::size_t k = 0; k < cell.policies.size(); ++k)
            if (engine_of(cell, k) == EngineKind::cohort)
                batch.engine_bytes =
                    std::max(batch.engine_bytes, cohort_bytes(cell.policies[k], host));
    }

    auto const slots = slots_that_fit(range.count, batch.request_bytes + batch.engine_bytes +
                                                       classes * sizeof(std::int64_t) + 640);
    thrust::device_vector<char> requests(static_cast<std::size_t>(slots) * batch.request_bytes);
    thrust::device_vector<char> engines(static_cast<std::size_t>(slots) * batch.engine_bytes);
    batch.requests = thrust::raw_pointer_cast(requests.data());
    batch.engines = thrust::raw_pointer_cast(engines.data());
    thrust::device_vector<std::int64_t> counts(cell.workload.output_kind == OutputKind::table
                                                   ? static_cast<std::size_t>(slots) * classes
                                                   : 0);
    batch.counts = thrust::raw_pointer_cast(counts.data());

    auto const lockstep = lockstep_for(cell, workload.view());
    Tally tally(cell.policies.size());
    for (std::int64_t done = 0; done < range.count; done += slots) {
        batch.first = range.first + done;
        batch.count = std::min(slots, range.count - done);
        BatchRun(cell, batch, lockstep.get()).add_to(tally);
    }
    CRX_CUDA_CHECK(cudaDeviceSynchronize());
    return tally;
}

DeviceInfo find_device()
{
    int count = 0;
    auto const status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        cudaGetLastError();
        return {"", status != cudaSuccess ? cudaGetErrorString(status) : "no device present"};
    }
    cudaDeviceProp properties;
    int device = 0;
    CRX_CUDA_CHECK(cudaGetDevice(&device));
    CRX_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    return {properties.name, ""};
}

} // namespace crx
