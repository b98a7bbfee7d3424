#include "kernels/cuda/device_engines.cuh"
#include "kernels/cuda/launch_device.cuh"
#include "kernels/cuda/slices.cuh"

namespace crx {
namespace {

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
    Slots slots;
    std::int64_t events; ///< at most
    __device__ void operator()(std::int64_t slot) const
    {
        if (slots == Slots::unknown && !is_unknown(outcome[slot])) return;
        Outcome own;
        auto const instance = static_cast<std::uint64_t>(batch.first + slot);
        auto const done =
            execute_policy_within(events, policy, batch.requests_of(slot), batch.workload.seed,
                                  instance, batch.engine_of(slot), batch.engine_bytes, {}, own);
        write_outcome(done, own, batch, outcome + slot);
    }
};
/// ... from the beginning again and in slices where that is not enough, ...
template <class P>
struct SliceSlot
{
    static constexpr bool wide = true;
    Batch batch;
    P policy;
    Outcome* outcome;
    bool begins;
    std::int64_t events;
    __device__ void operator()(std::int64_t slot) const
    {
        if (!is_unknown(outcome[slot])) return;
        Outcome own;
        auto const instance = static_cast<std::uint64_t>(batch.first + slot);
        auto const done =
            execute_slice(begins, events, policy, batch.requests_of(slot), batch.workload.seed,
                          instance, batch.engine_of(slot), batch.engine_bytes, own);
        write_outcome(done, own, batch, outcome + slot);
    }
};

/// ... computes the volume bound, ...
struct VolumeSlot
{
    Batch batch;
    std::int64_t* bound;
    Slots slots;
    CRX_HD void operator()(std::int64_t slot) const
    {
        if (slots == Slots::unknown && bound[slot] >= 0) return;
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        bound[slot] = VolumeBound(arena, batch.workload.requests).execute(batch.requests_of(slot));
    }
};

/// ... and the release bound for a slice, whose time is n for each different arrival.
struct ReleaseSlot
{
    static constexpr bool wide = true;
    Batch batch;
    std::int64_t* bound; ///< -1: unfinished
    bool begins;
    std::int64_t looks;
    __device__ void operator()(std::int64_t slot) const
    {
        if (!begins && bound[slot] >= 0) return;
        Arena arena(batch.engine_of(slot), batch.engine_bytes);
        auto* const kept = arena.take<ReleaseBound>(1);
        ReleaseBound run(arena, batch.workload.requests);
        auto const requests = batch.requests_of(slot);
        if (begins)
            run.begin(requests);
        else
            run = *kept;
        bool const done = run.advance(requests, looks);
        bound[slot] = done ? run.bound() : -1;
        if (done) return;
        *kept = run;
        count_unfinished(batch);
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
    launch(batch.count, VolumeSlot{batch, bound, slots});
}
void bound_release(Batch const& batch, std::int64_t* bound)
{
    run_in_slices(batch, [&](int slice, std::int64_t looks) {
        launch(batch.count, ReleaseSlot{batch, bound, slice == 0, looks});
    });
}
std::size_t release_bytes(std::int64_t n)
{
    return ReleaseBound::arena_bytes(n) +
           arena_bytes_of([](Arena& arena) { arena.take<ReleaseBound>(1); });
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
        run_in_slices(batch, [&](int slice, std::int64_t events) {
            if (slice == 0)
                launch(batch.count, ExecuteSlot<P>{batch, policy, outcome, slots, events});
            else
                launch(batch.count, SliceSlot<P>{batch, policy, outcome, slice == 1, events});
        });
    });
}

} // namespace crx
