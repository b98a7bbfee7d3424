#include "kernels/backends/cuda/device_requests.cuh"

#include "kernels/backends/cuda/launch_device.cuh"

namespace crx {
namespace {

CRX_HD inline bool is_unknown(Outcome const& outcome)
{
    return outcome.finished == 0 && outcome.reason == Unfinished::none;
}

/// What a thread does for one slot of a batch: writes its requests, ...
struct GenerateSlot
{
    Batch batch;
    CRX_HD void operator()(std::int64_t slot) const
    {
        generate(batch.workload, static_cast<std::uint64_t>(batch.first + slot),
                 batch.requests_of(slot));
    }
};

/// ... runs a policy on them, ...
template <class P>
struct ExecuteSlot
{
    /// Engines that cancel or draw spill otherwise (scripts/kernel_resources).
    static constexpr bool wide = P::cancelling != Cancelling::never;
    Batch batch;
    P policy;
    Outcome* outcome;
    Slots slots = Slots::all;
    CRX_HD void operator()(std::int64_t slot) const
    {
        if (slots == Slots::unknown && !is_unknown(outcome[slot])) return;
        outcome[slot] = execute_policy(policy, batch.requests_of(slot), batch.workload.seed,
                                       static_cast<std::uint64_t>(batch.first + slot),
                                       batch.engine_of(slot), batch.engine_bytes);
    }
};

/// ... and computes a bound.
template <class Bound>
struct BoundSlot
{
    static constexpr bool wide = std::is_same_v<Bound, ReleaseBound>;
    Batch batch;
    std::int64_t* bound;
    Slots slots = Slots::all;
    CRX_HD void operator()(std::int64_t slot) const
    {
        if (slots == Slots::unknown && bound[slot] >= 0) return;
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        bound[slot] = Bound(arena, batch.workload.requests).execute(batch.requests_of(slot));
    }
};

struct ListLost
{
    Batch batch;
    Outcome const* outcome;
    __device__ void operator()(std::int64_t slot) const
    {
        if (is_unknown(outcome[slot]))
            batch.lost[atomicAdd(batch.lost_count, 1ull)] = static_cast<std::int32_t>(slot);
    }
};
struct GenerateLost
{
    Batch batch;
    CRX_HD void operator()(std::int64_t k) const
    {
        if (k < static_cast<std::int64_t>(*batch.lost_count)) GenerateSlot{batch}(batch.lost[k]);
    }
};

} // namespace

void generate_requests_of(Batch const& batch) { launch(batch.count, GenerateSlot{batch}); }

void bound_volume(Batch const& batch, std::int64_t* bound, Slots slots)
{
    launch(batch.count, BoundSlot<VolumeBound>{batch, bound, slots});
}
void bound_release(Batch const& batch, std::int64_t* bound)
{
    launch(batch.count, BoundSlot<ReleaseBound>{batch, bound});
}

void list_lost(Batch const& batch, Outcome const* outcome)
{
    if (batch.count == 0) return;
    CRX_EXPECT(batch.lost != nullptr && batch.count <= INT32_MAX);
    CRX_CUDA_CHECK(cudaMemsetAsync(batch.lost_count, 0, sizeof *batch.lost_count));
    launch(batch.count, ListLost{batch, outcome});
}
void generate_lost_requests(Batch const& batch) { launch(batch.count, GenerateLost{batch}); }

void launch_policy(PolicySpec const& spec, Batch const& batch, Outcome* outcome, Slots slots)
{
    with_policy(spec, [&]<class P>(P const& policy) {
        launch(batch.count, ExecuteSlot<P>{batch, policy, outcome, slots});
    });
}

} // namespace crx
