#include "kernels/backends/cuda/device_mc_sf_batch.cuh"

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

} // namespace crx
