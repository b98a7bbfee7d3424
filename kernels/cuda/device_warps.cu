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

/// What a warp does for one instance: runs a policy, ...
template <class P>
struct ExecuteByWarp
{
    /// Blocks a multiprocessor: of itself the compiler spills a little to hold more.
    static constexpr int blocks = learns<P> ? 3 : 6;
    using Result = Outcome;

    __device__ Outcome operator()(GpuBatch const& batch, std::int64_t k, Arena& arena) const
    {
        auto const slot = batch.slot_of(k);
        auto const& cell = batch.cell_of(slot);
        auto const requests = batch.requests_of(cell, k);
        auto const seed = cell.workload.seed;
        auto const instance = cell.instance(slot);
        Outcome outcome;
        bool known;
        if constexpr (serves_in_order<P>) {
            known = execute_list_in_lanes(policy_with<P>(cell.specs[batch.run]), requests, seed,
                                          instance, arena, nullptr, outcome);
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

    __device__ std::int64_t operator()(GpuBatch const& batch, std::int64_t k, Arena& arena) const
    {
        auto const& cell = batch.cell_of(batch.slot_of(k));
        return WarpVolume(arena, cell.workload.requests).execute(batch.requests_of(cell, k));
    }
};

/// Warps take instances one after the other, and a long instance holds its warp alone. A warp has
/// one block for arrays, whatever it takes: they stay in the cache. shared_bytes: of a warp; 0:
/// they lie in device memory.
template <class Task>
__global__ void __launch_bounds__(threads, Task::blocks)
    run_by_warps(__grid_constant__ GpuBatch const batch, Task const task, unsigned long long* queue,
                 std::size_t shared_bytes, typename Task::Result* result)
{
    extern __shared__ __align__(16) char shared[];
    auto const warp = threadIdx.x / Lanes::count;
    auto const number = static_cast<std::int64_t>(blockIdx.x) * warps + warp;
    if (number >= batch.count) return;
    void* const block = shared_bytes > 0 ? shared + warp * shared_bytes : batch.block(number);
    for (;;) {
        unsigned long long next = 0;
        if (threadIdx.x % Lanes::count == 0) next = atomicAdd(queue, 1ull);
        auto const k = static_cast<std::int64_t>(__shfl_sync(~0u, next, 0));
        if (k >= batch.count) return;
        Arena arena(block, shared_bytes > 0 ? shared_bytes : batch.engine_bytes);
        write_one(result + batch.slot_of(k), task(batch, k, arena));
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
void launch_warps(Task const& task, std::size_t bytes, GpuBatch batch,
                  typename Task::Result* result)
{
    if (batch.count == 0) return;
    DeviceArray<unsigned long long> queue(1);
    CRX_CUDA_CHECK(cudaMemsetAsync(queue.data(), 0, sizeof(unsigned long long)));
    auto const shared = bytes <= most_shared_bytes ? bytes : 0;
    auto constexpr kernel = run_by_warps<Task>;
    auto blocks =
        std::min(resident_blocks(kernel, warps * shared), (batch.count + warps - 1) / warps);
    auto const block_bytes = shared > 0 ? 0 : warps * bytes;
    if (block_bytes > 0)
        blocks = std::clamp<std::int64_t>(
            static_cast<std::int64_t>(batch.engine_room / block_bytes), 1, blocks);
    DeviceArray<char> arrays(static_cast<std::size_t>(blocks) * block_bytes);
    batch.engines = arrays.data();
    batch.engine_bytes = bytes;
    kernel<<<static_cast<unsigned>(blocks), threads, warps * shared>>>(batch, task, queue.data(),
                                                                       shared, result);
    CRX_CUDA_CHECK(cudaGetLastError());
}

template <class P>
std::size_t bytes_for(std::int64_t n)
{
    if constexpr (learns<P>)
        return n <= a_min_small_requests ? WaitingQueueByLength::arena_bytes(n) : 0;
    else
        return arena_bytes_of([n](Arena& arena) { WarpOrder(arena, n); });
}

} // namespace

void launch_by_warps(PolicySpec const& spec, GpuBatch const& batch, Outcome* outcome)
{
    with_policy(spec, [&]<class P>(P const&) {
        if constexpr (serves_in_order<P> || learns<P>)
            launch_warps(ExecuteByWarp<P>{}, bytes_for<P>(batch.most_requests), batch, outcome);
        else
            contract_violated("a policy with an engine by warps", __FILE__, __LINE__);
    });
}

void bound_volume_by_warps(GpuBatch const& batch, std::int64_t* bound)
{
    launch_warps(BoundByWarp{}, WarpVolume::arena_bytes(batch.most_requests), batch, bound);
}

} // namespace crx
