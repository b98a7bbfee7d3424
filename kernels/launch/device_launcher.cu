#include "kernels/cohort/cohort.hh"
#include "kernels/launch/cell.hh"
#include "kernels/launch/device_cohorts.cuh"
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

/// Requests of the batch's instances, counts of them, or both, as the cell's engines need.
void make_instances(Cell const& cell, Batch const& batch)
{
    auto const drawn = cell.workload.output_kind == OutputKind::table;
    if (all_by_cohorts(cell)) {
        if (drawn) launch(batch.count, DrawCountsSlot{batch});
        return;
    }
    launch(batch.count, GenerateSlot{batch});
    if (drawn && any_by_cohorts(cell)) launch(batch.count, CountSlot{batch});
}

void launch_policy(Cell const& cell, std::size_t k, Batch const& batch, Outcome* outcome)
{
    if (engine_of(cell, k) == EngineKind::cohort)
        launch_cohorts(cell.policies[k], batch, outcome);
    else
        launch_policy(cell.policies[k], batch, outcome);
}

void run_batch(Cell const& cell, Batch const& batch, Tally& tally)
{
    auto const slots = static_cast<std::size_t>(batch.count);
    make_instances(cell, batch);

    thrust::device_vector<Outcome> outcome(slots);
    thrust::device_vector<std::int64_t> bound[baseline_kinds];
    auto* const outcomes = thrust::raw_pointer_cast(outcome.data());
    std::int64_t* baseline[baseline_kinds] = {};
    for (int b = 0; b < baseline_kinds; ++b) {
        if (!cell.baseline[b]) continue;
        bound[b].resize(slots);
        baseline[b] = thrust::raw_pointer_cast(bound[b].data());
    }
    bool computed = false; // the outcomes of mc-sf
    for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf}) {
        if (!cell.wants(kind)) continue;
        if (!computed && any_by_cohorts(cell))
            launch_cohorts({PolicyKind::mc_sf, {}}, batch, outcomes);
        else if (!computed)
            launch_policy({PolicyKind::mc_sf, {}}, batch, outcomes);
        computed = true;
        thrust::transform(outcome.begin(), outcome.end(), bound[static_cast<int>(kind)].begin(),
                          [] CRX_HD(Outcome const& o) { return o.total_latency; });
    }
    auto const place_of = [&](BaselineKind kind) { return baseline[static_cast<int>(kind)]; };
    for (auto const kind : {BaselineKind::volume, BaselineKind::release}) {
        if (!cell.wants(kind)) continue;
        if (any_by_cohorts(cell)) // all at 0, where the release bound is the volume bound
            launch(batch.count, BoundByClassSlot{batch, place_of(kind)});
        else if (kind == BaselineKind::volume)
            launch(batch.count, BoundSlot<VolumeBound>{batch, place_of(kind)});
        else
            launch(batch.count, BoundSlot<ReleaseBound>{batch, place_of(kind)});
    }

    for (std::size_t k = 0; k < cell.policies.size(); ++k) {
        launch_policy(cell, k, batch, outcomes);
        BatchResults results{outcomes, {}, batch.first, batch.count};
        for (int b = 0; b < baseline_kinds; ++b) results.baseline[b] = baseline[b];
        tally[k].sums.add(sum_up(results));
        for (int b = 0; b < baseline_kinds; ++b) {
            if (baseline[b] == nullptr) continue;
            thrust::device_vector<std::uint32_t> bins(slots);
            launch(batch.count,
                   BinSlot{outcomes, baseline[b], thrust::raw_pointer_cast(bins.data())});
            add_histogram(bins, tally[k].histogram[b]);
        }
    }
}

} // namespace

Tally launch_device(Cell const& cell, InstanceRange range)
{
    auto const device = find_device();
    if (device.name.empty()) throw std::runtime_error("no CUDA device: " + device.reason);
    if (any_offline(cell))
        throw std::runtime_error("a policy that orders requests beforehand runs on the CPU only");

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
                                                       classes * sizeof(std::int64_t) + 512);
    thrust::device_vector<char> requests(static_cast<std::size_t>(slots) * batch.request_bytes);
    thrust::device_vector<char> engines(static_cast<std::size_t>(slots) * batch.engine_bytes);
    batch.requests = thrust::raw_pointer_cast(requests.data());
    batch.engines = thrust::raw_pointer_cast(engines.data());
    thrust::device_vector<std::int64_t> counts(cell.workload.output_kind == OutputKind::table
                                                   ? static_cast<std::size_t>(slots) * classes
                                                   : 0);
    batch.counts = thrust::raw_pointer_cast(counts.data());

    Tally tally(cell.policies.size());
    for (std::int64_t done = 0; done < range.count; done += slots) {
        batch.first = range.first + done;
        batch.count = std::min(slots, range.count - done);
        run_batch(cell, batch, tally);
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
