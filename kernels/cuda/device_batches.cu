#include "kernels/cuda/current_device.cuh"
#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/device_engines.cuh"
#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/cohorts/thread_instances.cuh"
#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"

#include <algorithm>

namespace crx {
namespace {

using mc_sf_batch::OneInstance;
using mc_sf_batch::ThreadPlan;

constexpr int most_threads = 128;
constexpr std::size_t shared_bytes = 48 * 1024; ///< that a block may have without asking

/// Bytes of keys, and of volumes, a thread.
std::size_t thread_bytes(ThreadPlan const& plan)
{
    return static_cast<std::size_t>(plan.workload.requests) * sizeof(std::int16_t) *
           (plan.volume ? 2 : 1);
}

__global__ void __launch_bounds__(most_threads)
    run_instances(__grid_constant__ ThreadPlan const plan, std::int64_t first, std::int64_t count,
                  Outcome* outcome, std::int64_t* bound)
{
    extern __shared__ std::int16_t memory[];
    auto const stride = static_cast<std::int64_t>(blockDim.x);
    auto* const keys = memory + threadIdx.x;
    auto* const volumes = keys + (plan.volume ? plan.workload.requests * stride : 0);
    for (auto k = blockIdx.x * stride + threadIdx.x; k < count; k += gridDim.x * stride) {
        OneInstance instance(plan, keys, volumes, stride);
        instance.draw(static_cast<std::uint64_t>(first + k));
        outcome[k] = instance.shortest_first();
        if (bound != nullptr) bound[k] = instance.volume();
    }
}

} // namespace

std::unique_ptr<DeviceMcSfBatch>
DeviceMcSfBatch::serving(Workload const& workload, WorkloadView const& on_device, bool with_volume)
{
    auto const layout = mc_sf_batch::layout_serving(view_of(workload));
    if (!layout) return nullptr;
    return std::unique_ptr<DeviceMcSfBatch>(
        new DeviceMcSfBatch(workload, on_device, *layout, with_volume));
}

DeviceMcSfBatch::DeviceMcSfBatch(Workload const& workload, WorkloadView const& on_device,
                                 mc_sf_batch::KeyLayout const& layout, bool with_volume)
{
    auto const exchanges = mc_sf_batch::merge_exchange(static_cast<int>(workload.requests));
    plan_ = mc_sf_batch::thread_plan(view_of(workload), layout, exchanges, with_volume);
    exchange_ = DeviceArray<mc_sf_batch::Exchange>(exchanges);
    plan_.workload = on_device;
    plan_.exchange = exchange_.data();
}

void DeviceMcSfBatch::execute(std::int64_t first, std::int64_t count, Outcome* outcome,
                              std::int64_t* bound) const
{
    if (count == 0) return;
    CRX_EXPECT(bound == nullptr || plan_.volume);
    auto threads = most_threads; // 256 requests still leave a warp
    while (static_cast<std::size_t>(threads) * thread_bytes(plan_) > shared_bytes) threads /= 2;
    auto const blocks = std::min<std::int64_t>((count + threads - 1) / threads, 1 << 20);
    run_instances<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
                    static_cast<std::size_t>(threads) * thread_bytes(plan_)>>>(plan_, first, count,
                                                                               outcome, bound);
    CRX_CUDA_CHECK(cudaGetLastError());
}

namespace {

constexpr int warps_a_block = 2;
constexpr int lane_threads = 32 * warps_a_block;
/// Device memory for the places and the lines of all warps that run: fewer run where a warp needs
/// much.
constexpr std::int64_t most_far_bytes = std::int64_t{1} << 30;

struct GpuWarp
{
    CRX_HD static unsigned ballot(bool mine)
    {
#ifdef __CUDA_ARCH__
        return __ballot_sync(~0u, mine);
#else
        return mine; // never run: there a kernel is only compiled
#endif
    }
};

/// What a kernel is made of: an engine, how many numbers a place has and lines it draws from, and
/// shared memory for a warp's places. That is for 16 or 32 places of floats, half as many of
/// doubles, so that registers run out about as soon: two-point at n = M = 10^4 takes one under
/// mc-sf and a-ell, ten under a-max.
template <class T, bool hidden>
struct EndKind
{
    using Number = T;
    using Form = ThreadForm<T, GpuWarp>;
    using Engine = FixedLengthBatchEngine<Form, hidden>;
    static constexpr int fields = hidden ? 4 : 3, lines = 1, near_bytes = 8 * 1024;
    static constexpr bool draws = hidden;
};
template <class T, int most>
struct UpperKind
{
    using Number = T;
    using Form = ThreadForm<T, GpuWarp>;
    using Engine = AMaxBatchEngine<Form, most>;
    static constexpr int fields = 3, lines = most - 1, near_bytes = 12 * 1024;
    static constexpr bool draws = true;
};

/// A warp takes the next 32 instances until `next` is past the last.
template <class Kind>
__global__ void __launch_bounds__(lane_threads, 4)
    run_lanes(__grid_constant__ ThreadInstances const instances, std::int32_t near_places,
              std::int32_t far_places, typename Kind::Number* far,
              __grid_constant__ ThreadLines const lines, std::uint64_t* rows,
              unsigned long long* next)
{
    using T = typename Kind::Number;
    extern __shared__ double shared[];
    auto const warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    auto const of_thread = [&](T* memory, std::int64_t places, std::int64_t warps_before) {
        return memory + (warps_before * places * Kind::fields) * 32 + lane;
    };
    typename Kind::Form::Memory const memory{
        of_thread(reinterpret_cast<T*>(shared), near_places, warp),
        of_thread(far, far_places, std::int64_t{blockIdx.x} * warps_a_block + warp), near_places,
        far_places};
    WordStream words(0, 0, 0);
    ThreadLine line[Kind::lines];
    lines.open(rows + lines.words() * (std::int64_t{blockIdx.x} * warps_a_block + warp),
               static_cast<int>(lane), line);
    typename Kind::Engine engine(instances.workload, typename Kind::Engine::Places(memory), &words,
                                 line);
    for (;;) {
        unsigned long long k = 0;
        if (lane == 0) k = atomicAdd(next, 32ull);
        k = __shfl_sync(~0u, k, 0);
        auto const own = static_cast<std::int64_t>(k) + lane;
        if (own - lane >= instances.count) return;
        instances.execute(engine, own);
    }
}

template <class Kind>
void launch_lanes(ThreadInstances const& instances, std::int64_t places)
{
    using T = typename Kind::Number;
    constexpr std::int64_t place_bytes = 32 * Kind::fields * sizeof(T);
    auto const far_places = ring_of(places);
    auto const near_places = near_ring(Kind::near_bytes, place_bytes, far_places);
    auto const shared = static_cast<std::size_t>(warps_a_block * near_places * place_bytes);
    int resident = 0;
    CRX_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, run_lanes<Kind>,
                                                                 lane_threads, shared));
    auto const far_bytes =
        near_places == far_places ? std::int64_t{0} : warps_a_block * far_places * place_bytes;
    auto const lines = ThreadLines::of(instances.workload, Kind::lines, Kind::draws);
    auto const row_bytes =
        warps_a_block * lines.words() * static_cast<std::int64_t>(sizeof(std::uint64_t));
    auto blocks =
        std::min<std::int64_t>((instances.count + lane_threads - 1) / lane_threads,
                               std::int64_t{current_device().processors} * std::max(resident, 1));
    if (far_bytes + row_bytes > 0) {
        auto const most =
            std::min(most_far_bytes, static_cast<std::int64_t>(free_device_bytes() / 2));
        blocks = std::clamp<std::int64_t>(most / (far_bytes + row_bytes), 1, blocks);
    }
    DeviceArray<char> far(static_cast<std::size_t>(blocks * far_bytes));
    DeviceArray<std::uint64_t> rows(static_cast<std::size_t>(blocks * row_bytes) /
                                    sizeof(std::uint64_t));
    DeviceArray<unsigned long long> next(1);
    CRX_CUDA_CHECK(cudaMemsetAsync(next.data(), 0, sizeof(unsigned long long), nullptr));
    run_lanes<Kind><<<static_cast<unsigned>(blocks), lane_threads, shared>>>(
        instances, near_places, far_places, reinterpret_cast<T*>(far.data()), lines, rows.data(),
        next.data());
    CRX_CUDA_CHECK(cudaGetLastError());
}

} // namespace

std::unique_ptr<DeviceCohortLanes> DeviceCohortLanes::serving(PolicySpec const& spec,
                                                              WorkloadView const& host)
{
    bool const upper = spec.kind == MaxLength::kind;
    auto const fit = upper ? a_max_batch_fit(host) : fixed_length_batch_fit(spec, host);
    if (fit == LaneFit::none) return nullptr;
    auto const longest =
        spec.kind == PromoteLower::kind ? host.interval.upper : host.output_value.back();
    auto const places = upper ? UpperKind<double, 2>::Engine::most_places(host)
                              : fixed_length_batch_steps(host, longest);
    return std::unique_ptr<DeviceCohortLanes>(
        new DeviceCohortLanes(spec.kind, fit, static_cast<int>(host.output_value.size()), places));
}

void DeviceCohortLanes::execute(Batch const& batch, Outcome* outcome) const
{
    if (batch.count == 0) return;
    ThreadInstances const instances{batch.workload,
                                    batch.first,
                                    batch.count,
                                    batch.counts_of(0),
                                    batch.workload.output_kind == OutputKind::table ? classes_ : 0,
                                    outcome};
    auto const in = [&]<class T>(T) {
        if (kind_ == PromoteLower::kind) return launch_lanes<EndKind<T, true>>(instances, places_);
        if (kind_ != MaxLength::kind) return launch_lanes<EndKind<T, false>>(instances, places_);
        if (classes_ <= 2) return launch_lanes<UpperKind<T, 2>>(instances, places_);
        launch_lanes<UpperKind<T, most_a_max_lengths>>(instances, places_);
    };
    fit_ == LaneFit::floats ? in(float{}) : in(double{});
}

} // namespace crx
