#include "kernels/launch/device_warps.cuh"

#include "kernels/engine/warp_few.cuh"
#include "kernels/engine/warp_list_policy.cuh"
#include "kernels/launch/cuda_check.cuh"

#include <algorithm>

namespace crx {
namespace {

constexpr int threads = 128; ///< a block
constexpr int warps = threads / Lanes::count;
/// What a warp may have of shared memory: nine blocks a multiprocessor then have room for theirs.
/// Larger instances have their arrays in device memory.
constexpr std::size_t most_shared_bytes = 6 * 1024;

template <class P>
constexpr bool lists = P::choice == Choice::ranked&& P::cancelling == Cancelling::never;
template <class P>
constexpr bool learns = P::choice == Choice::drawn&& P::cancelling == Cancelling::on_overflow;

/// One instance; every thread of the warp returns the outcome.
template <class P>
__device__ Outcome execute_in_lanes(P const& policy, Requests const& requests, std::uint64_t seed,
                                    std::uint64_t instance, Arena& arena)
{
    Outcome outcome;
    bool known;
    if constexpr (lists<P>) {
        known = execute_list_in_lanes(policy, requests, seed, instance, arena, nullptr, outcome);
    } else {
        auto const few = execute_few_in_lanes(P::outlived, requests, seed,
                                              stream_policy + static_cast<std::uint32_t>(P::kind),
                                              instance, {}, arena);
        known = few.has_value();
        if (known) outcome = *few;
    }
    if (!known) outcome.give_up(Unfinished::none);
    return outcome;
}

/// Blocks a multiprocessor: of itself the compiler spills a little to hold more.
template <class P>
constexpr int blocks_at_a_time = learns<P> ? 3 : 6;

/// Warps take slots one after the other, so a long instance holds its warp alone. A warp has one
/// place for arrays, whatever slots it takes: they stay in the cache. shared_bytes: of a warp; 0:
/// they lie in device memory.
template <class P>
__global__ void __launch_bounds__(threads, blocks_at_a_time<P>)
    run_by_warps(__grid_constant__ Batch const batch, P const policy, std::size_t shared_bytes,
                 Outcome* outcome)
{
    extern __shared__ __align__(16) char shared[];
    auto const warp = threadIdx.x / Lanes::count;
    auto const number = static_cast<std::int64_t>(blockIdx.x) * warps + warp;
    if (number >= batch.count) return;
    void* const block = shared_bytes > 0 ? shared + warp * shared_bytes : batch.engine_of(number);
    for (;;) {
        unsigned long long next = 0;
        if (threadIdx.x % Lanes::count == 0) next = atomicAdd(batch.queue, 1ull);
        auto const slot = static_cast<std::int64_t>(__shfl_sync(~0u, next, 0));
        if (slot >= batch.count) return;
        Arena arena(block, shared_bytes > 0 ? shared_bytes : batch.engine_bytes);
        auto const of_slot =
            execute_in_lanes(policy, batch.requests_of(slot), batch.workload.seed,
                             static_cast<std::uint64_t>(batch.first + slot), arena);
        write_one(outcome + slot, of_slot);
    }
}

/// As many blocks as a card holds at a time.
template <class Kernel>
std::int64_t resident_blocks(Kernel kernel, std::size_t shared_bytes)
{
    int device = 0, processors = 0, each = 0;
    CRX_CUDA_CHECK(cudaGetDevice(&device));
    CRX_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CRX_CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes));
    return std::int64_t{processors} * each;
}

template <class P>
std::size_t bytes_for(std::int64_t n)
{
    if constexpr (learns<P>) {
        return n <= few_active_requests ? FrontClass::arena_bytes(n) : 0;
    } else if constexpr (lists<P>) {
        Arena counter(nullptr, 0);
        WarpOrder const counted(counter, n);
        (void)counted;
        return counter.bytes_used();
    } else {
        return 0;
    }
}

template <class P>
void launch_warps(P const& policy, Batch const& batch, Outcome* outcome)
{
    if constexpr (lists<P> || learns<P>) {
        auto const bytes = bytes_for<P>(batch.workload.requests);
        auto const shared = bytes <= most_shared_bytes ? bytes : 0;
        auto const kernel = run_by_warps<P>;
        auto const blocks =
            std::min(resident_blocks(kernel, warps * shared), (batch.count + warps - 1) / warps);
        kernel<<<static_cast<unsigned>(blocks), threads, warps * shared>>>(batch, policy, shared,
                                                                           outcome);
    }
}

} // namespace

bool has_warp_form(PolicySpec const& spec, WorkloadView const& workload)
{
    if (workload.arrival_kind != ArrivalKind::at_zero || workload.clock.affine()) return false;
    return with_policy(spec, [&]<class P>(P const&) {
        if constexpr (lists<P>)
            return workload.memory <= INT32_MAX / 2 &&
                   (P::kind != PolicyKind::a_max || workload.interval.kind == IntervalKind::exact);
        else if constexpr (learns<P>)
            return workload.requests <= few_active_requests && workload.memory <= few_active_memory;
        else
            return false;
    });
}

std::size_t warp_bytes(PolicySpec const& spec, std::int64_t n)
{
    return with_policy(spec, [n]<class P>(P const&) { return bytes_for<P>(n); });
}

void launch_by_warps(PolicySpec const& spec, Batch const& batch, Outcome* outcome)
{
    if (batch.count == 0) return;
    CRX_EXPECT(has_warp_form(spec, batch.workload) && batch.queue != nullptr);
    CRX_CUDA_CHECK(cudaMemsetAsync(batch.queue, 0, sizeof *batch.queue));
    with_policy(spec, [&]<class P>(P const& policy) { launch_warps(policy, batch, outcome); });
    CRX_CUDA_CHECK(cudaGetLastError());
}

} // namespace crx
