#include "kernels/cuda/device_engines.cuh"
#include "kernels/cuda/launch_device.cuh"
#include "kernels/cuda/slices.cuh"

namespace crx {
namespace {

/// What a thread does for one instance: writes its requests, ...
struct GenerateSlot
{
    GpuBatch batch;
    CRX_HD void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        auto const& cell = batch.cell_of(slot);
        generate(cell.workload, cell.instance(slot), batch.requests_of(cell, k));
    }
};

/// ... runs a policy on them, ...
template <class P>
struct RequestSource
{
    /// Engines that cancel or draw spill much otherwise (scripts/kernel_resources). The others
    /// spill four registers on sm_90; without, one takes 218, and 8 warps fit in place of 12.
    static constexpr bool wide = P::cancelling != Cancelling::never;

    __device__ static bool begin(std::int64_t events, GpuBatch const& batch, BatchCell const& cell,
                                 std::int64_t k, Outcome& outcome)
    {
        return execute_policy_within(events, policy_with<P>(cell.specs[batch.run]),
                                     batch.requests_of(cell, k), cell.workload.seed,
                                     cell.instance(batch.slot_of(k)), batch.block(k),
                                     batch.engine_bytes, {}, outcome);
    }
    __device__ static bool go_on(bool begins, std::int64_t events, GpuBatch const& batch,
                                 BatchCell const& cell, std::int64_t k, Outcome& outcome)
    {
        return execute_slice(begins, events, policy_with<P>(cell.specs[batch.run]),
                             batch.requests_of(cell, k), cell.workload.seed,
                             cell.instance(batch.slot_of(k)), batch.block(k), batch.engine_bytes,
                             outcome);
    }
};

/// ... computes the volume bound, ...
struct VolumeSlot
{
    GpuBatch batch;
    std::int64_t* bound;
    CRX_HD void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        auto const& cell = batch.cell_of(slot);
        auto arena = batch.arena(k);
        bound[slot] =
            VolumeBound(arena, cell.workload.requests).execute(batch.requests_of(cell, k));
    }
};

/// ... and the release bound for a slice, whose time is n for each different arrival.
struct ReleaseSlot
{
    static constexpr bool wide = true;
    GpuBatch batch;
    std::int64_t* bound; ///< -1: unfinished
    bool begins;
    std::int64_t looks;
    unsigned long long* unfinished;
    __device__ void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        if (!begins && bound[slot] >= 0) return;
        auto const& cell = batch.cell_of(slot);
        auto arena = batch.arena(k);
        auto* const kept = arena.take<ReleaseBound>(1);
        ReleaseBound run(arena, cell.workload.requests);
        auto const requests = batch.requests_of(cell, k);
        if (begins)
            run.begin(requests);
        else
            run = *kept;
        bool const done = run.advance(requests, looks);
        bound[slot] = done ? run.bound() : -1;
        if (done) return;
        *kept = run;
        atomicAdd(unfinished, 1ull);
    }
};

CRX_HD inline bool is_unknown(std::int64_t bound) { return bound < 0; }

/// Enters into a list what is not known.
template <class Result>
struct ListUnknown
{
    GpuBatch batch;
    Result const* result;
    std::int32_t* list;
    unsigned long long* count;
    __device__ void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        if (is_unknown(result[slot]))
            list[atomicAdd(count, 1ull)] = static_cast<std::int32_t>(slot);
    }
};

template <class Result>
std::int64_t run_unknown_ones(GpuBatch const& batch, Result const* result, RunBatch const& run)
{
    CRX_EXPECT(batch.from + batch.count <= INT32_MAX);
    if (batch.count == 0) return 0;
    DeviceArray<std::int32_t> list(static_cast<std::size_t>(batch.count));
    DeviceArray<unsigned long long> count(1);
    CRX_CUDA_CHECK(cudaMemsetAsync(count.data(), 0, sizeof(unsigned long long)));
    launch(batch.count, ListUnknown<Result>{batch, result, list.data(), count.data()});
    auto unknown = batch;
    unknown.list = list.data();
    unknown.requests = nullptr;
    unknown.count = static_cast<std::int64_t>(count.all().front());
    run_with_requests(unknown, run);
    return unknown.count;
}

} // namespace

void generate_requests_of(GpuBatch const& batch) { launch(batch.count, GenerateSlot{batch}); }

void run_with_requests(GpuBatch const& batch, RunBatch const& run)
{
    auto halved = batch;
    halved.engine_room /= 2;
    run_with_arrays<DeviceArray<char>>(halved, &GpuBatch::requests, &GpuBatch::request_bytes,
                                       request_bytes(batch.most_requests),
                                       [&](GpuBatch const& part) {
                                           generate_requests_of(part);
                                           run(part);
                                       });
}

void bound_volume(GpuBatch const& batch, std::int64_t* bound)
{
    run_with_engines<DeviceArray<char>>(batch, VolumeBound::arena_bytes(batch.most_requests),
                                        [&](GpuBatch const& part) {
                                            launch(part.count, VolumeSlot{part, bound});
                                        });
}

void bound_release(GpuBatch const& batch, std::int64_t* bound)
{
    auto const bytes = ReleaseBound::arena_bytes(batch.most_requests) +
                       arena_bytes_of([](Arena& arena) { arena.take<ReleaseBound>(1); });
    run_with_engines<DeviceArray<char>>(batch, bytes, [&](GpuBatch const& part) {
        run_in_slices(
            part.slice_events, [&](int slice, std::int64_t looks, unsigned long long* unfinished) {
                launch(part.count, ReleaseSlot{part, bound, slice == 0, looks, unfinished});
            });
    });
}

std::int64_t run_unknown(GpuBatch const& batch, Outcome const* outcome, RunBatch const& run)
{
    return run_unknown_ones(batch, outcome, run);
}
std::int64_t run_unknown(GpuBatch const& batch, std::int64_t const* bound, RunBatch const& run)
{
    return run_unknown_ones(batch, bound, run);
}

void launch_policy(PolicySpec const& spec, GpuBatch const& batch, Outcome* outcome)
{
    with_policy(spec, [&]<class P>(P const&) {
        launch_in_slices<RequestSource<P>>(batch, sliced_bytes(spec, batch.most_requests), outcome);
    });
}

} // namespace crx
