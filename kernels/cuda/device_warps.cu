#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_engines.cuh"
#include "kernels/cuda/launch_device.cuh"
#include "kernels/engines/a_min/one_instance_engine.cuh"
#include "kernels/engines/lists/short_schedule.cuh"
#include "kernels/engines/lists/warp_list.cuh"
#include "kernels/model/volume_bound_warp.cuh"

#include <algorithm>

namespace crx {
namespace {

// What mc-sf-batch takes and loses, warps take: n times the longest output is at most most_rounds
// there, and no more ends are to come at a time than the lesser of the two.
static_assert(WarpList::most * WarpList::most > mc_sf_batch::most_rounds);

constexpr int threads = 128; ///< a block
constexpr int warps = threads / Lanes::count;
/// What a warp may have of shared memory: nine blocks a multiprocessor then have room for theirs.
/// Larger instances have their arrays in device memory.
constexpr std::size_t most_shared_bytes = 6 * 1024;

template <class P>
constexpr bool learns = P::choice == Choice::drawn && P::cancelling == Cancelling::on_overflow;

/// What a warp does for one slot: runs a policy, ...
template <class P>
struct ExecuteByWarp
{
    /// Blocks a multiprocessor: of itself the compiler spills a little to hold more.
    static constexpr int blocks = learns<P> ? 3 : 6;
    using Result = Outcome;
    P policy;

    __device__ Outcome operator()(Batch const& batch, std::int64_t slot, Arena& arena) const
    {
        auto const requests = batch.requests_of(slot);
        auto const seed = batch.workload.seed;
        auto const instance = static_cast<std::uint64_t>(batch.first + slot);
        Outcome outcome;
        bool known;
        if constexpr (serves_in_order<P>) {
            known =
                execute_list_in_lanes(policy, requests, seed, instance, arena, nullptr, outcome);
        } else {
            auto const few = execute_a_min_small_by_warp(
                P::outlived, requests, seed, stream_policy + static_cast<std::uint32_t>(P::kind),
                instance, {}, arena);
            known = few.has_value();
            if (known) outcome = *few;
        }
        if (!known) outcome.give_up(Unfinished::none);
        return outcome;
    }
};

/// ... or computes a bound.
struct BoundByWarp
{
    static constexpr int blocks = 6;
    using Result = std::int64_t;

    __device__ std::int64_t operator()(Batch const& batch, std::int64_t slot, Arena& arena) const
    {
        return WarpVolume(arena, batch.workload.requests).execute(batch.requests_of(slot));
    }
};

/// Warps take slots one after the other, those in batch.lost where `lost` says so, and a long
/// instance holds its warp alone. A warp has one place for arrays, whatever slots it takes: they
/// stay in the cache. shared_bytes: of a warp; 0: they lie in device memory.
template <class Task>
__global__ void __launch_bounds__(threads, Task::blocks)
    run_by_warps(__grid_constant__ Batch const batch, Task const task, bool lost,
                 std::size_t shared_bytes, typename Task::Result* result)
{
    extern __shared__ __align__(16) char shared[];
    auto const warp = threadIdx.x / Lanes::count;
    auto const number = static_cast<std::int64_t>(blockIdx.x) * warps + warp;
    if (number >= batch.count) return;
    auto const count = lost ? static_cast<std::int64_t>(*batch.lost_count) : batch.count;
    void* const block = shared_bytes > 0 ? shared + warp * shared_bytes : batch.engine_of(number);
    for (;;) {
        unsigned long long next = 0;
        if (threadIdx.x % Lanes::count == 0) next = atomicAdd(batch.queue, 1ull);
        auto const k = static_cast<std::int64_t>(__shfl_sync(~0u, next, 0));
        if (k >= count) return;
        auto const slot = lost ? std::int64_t{batch.lost[k]} : k;
        Arena arena(block, shared_bytes > 0 ? shared_bytes : batch.engine_bytes);
        write_one(result + slot, task(batch, slot, arena));
    }
}

/// As many blocks as a GPU holds at a time.
template <class Kernel>
std::int64_t resident_blocks(Kernel kernel, std::size_t shared_bytes)
{
    int each = 0;
    CRX_CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes));
    return std::int64_t{current_device().processors} * each;
}

/// bytes: of arrays a warp.
template <class Task>
void launch_warps(Task const& task, std::size_t bytes, Batch const& batch,
                  typename Task::Result* result, Slots slots = Slots::all)
{
    if (batch.count == 0) return;
    CRX_EXPECT(batch.queue != nullptr && slots != Slots::unknown);
    CRX_CUDA_CHECK(cudaMemsetAsync(batch.queue, 0, sizeof *batch.queue));
    auto const shared = bytes <= most_shared_bytes ? bytes : 0;
    auto constexpr kernel = run_by_warps<Task>;
    auto const blocks =
        std::min(resident_blocks(kernel, warps * shared), (batch.count + warps - 1) / warps);
    kernel<<<static_cast<unsigned>(blocks), threads, warps * shared>>>(
        batch, task, slots == Slots::lost, shared, result);
    CRX_CUDA_CHECK(cudaGetLastError());
}

template <class P>
std::size_t bytes_for(std::int64_t n)
{
    if constexpr (learns<P>) {
        return n <= a_min_small_requests ? WaitingQueueByLength::arena_bytes(n) : 0;
    } else if constexpr (serves_in_order<P>) {
        return arena_bytes_of([n](Arena& arena) { WarpOrder(arena, n); });
    } else {
        return 0;
    }
}

template <class P>
void launch_policy_by_warps(P const& policy, Batch const& batch, Outcome* outcome, Slots slots)
{
    if constexpr (serves_in_order<P> || learns<P>)
        launch_warps(ExecuteByWarp<P>{policy}, bytes_for<P>(batch.workload.requests), batch,
                     outcome, slots);
}

} // namespace

std::size_t warp_bytes(PolicySpec const& spec, std::int64_t n)
{
    auto const bytes = with_policy(spec, [n]<class P>(P const&) { return bytes_for<P>(n); });
    return std::max(bytes, WarpVolume::arena_bytes(n));
}

void launch_by_warps(PolicySpec const& spec, Batch const& batch, Outcome* outcome, Slots slots)
{
    with_policy(spec, [&]<class P>(P const& policy) {
        launch_policy_by_warps(policy, batch, outcome, slots);
    });
}

void bound_volume_by_warps(Batch const& batch, std::int64_t* bound)
{
    launch_warps(BoundByWarp{}, WarpVolume::arena_bytes(batch.workload.requests), batch, bound);
}

} // namespace crx
