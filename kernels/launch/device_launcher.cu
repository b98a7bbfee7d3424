#include "kernels/cohort/cohort.hh"
#include "kernels/launch/device_batch_run.cuh"

namespace crx {
namespace {

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

} // namespace

Tally launch_device(Cell const& cell, InstanceRange range)
{
    auto const device = find_device();
    if (device.name.empty()) throw std::runtime_error("no CUDA device: " + device.reason);
    if (any_offline(cell))
        throw std::runtime_error(
            "orders, baselines or instances that the host makes run on the CPU "
            "only");

    DeviceWorkload const workload(cell.workload);
    auto const n = all_by_cohorts(cell) ? 0 : cell.workload.requests;
    Batch batch;
    batch.workload = workload.view();
    batch.request_bytes = request_bytes(n);
    batch.engine_bytes =
        std::max({VolumeBound::arena_bytes(n), engine_bytes({}, n), warp_bytes({}, n)});
    for (auto const& spec : cell.policies)
        batch.engine_bytes =
            std::max({batch.engine_bytes, engine_bytes(spec, n), warp_bytes(spec, n)});
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

    thrust::device_vector<unsigned long long> queue(1);
    batch.queue = thrust::raw_pointer_cast(queue.data());

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
