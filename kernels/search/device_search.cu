#include "kernels/backends/cuda/current_card.cuh"
#include "kernels/backends/cuda/device_array.cuh"
#include "kernels/backends/launch_parts.hh"
#include "kernels/base/seconds_since.hh"
#include "kernels/search/search_batch.hh"

#include <algorithm>

namespace crx::search {
namespace {

/// Threads a block: few, as there may be no more than thousands of runs and each is long.
constexpr int runs_a_block = 32;

/// Blocks a multiprocessor holds: with its full 32 a thread would have 64 registers, too few.
constexpr int blocks_at_once = 16;

/// Runs of one launch at most, so that a large batch needs no more device memory for what it finds.
constexpr std::int64_t most_runs = 1 << 18;

__global__ void __launch_bounds__(runs_a_block, blocks_at_once)
    search_runs(SearchBatchView batch, Effort effort, std::int64_t first, std::int64_t count,
                FoundStarts* found)
{
    auto const k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (k >= count) return;
    FoundStarts best; // in the thread's own memory
    batch.run(effort, first + k, best);
    found[k] = best;
}

} // namespace

std::vector<FoundStarts> search_orders_device(std::vector<OwnedInstance> const& instances,
                                              Effort const& effort)
{
    CRX_EXPECT(effort.evaluations >= 1 && effort.runs >= 1);
    SearchBatch const batch(instances);
    use_card();
    DeviceArray<Lengths> const requests(batch.requests);
    DeviceArray<std::int64_t> const first(batch.first);
    DeviceArray<std::int32_t> const memory(batch.memory);
    SearchBatchView const view{requests.data(), first.data(), memory.data()};
    std::vector<FoundStarts> found(instances.size() * static_cast<std::size_t>(effort.runs));
    auto const runs = static_cast<std::int64_t>(found.size());
    DeviceArray<FoundStarts> part(static_cast<std::size_t>(std::min(runs, most_runs)));
    LaunchSize size;
    for (std::int64_t done = 0, count = 0; done < runs; done += count) {
        count = std::min({runs - done, most_runs, size.instances()});
        auto const begin = std::chrono::steady_clock::now();
        search_runs<<<static_cast<unsigned>((count + runs_a_block - 1) / runs_a_block),
                      runs_a_block>>>(view, effort, done, count, part.data());
        CRX_CUDA_CHECK(cudaGetLastError());
        CRX_CUDA_CHECK(cudaMemcpy(found.data() + done, part.data(),
                                  static_cast<std::size_t>(count) * sizeof(FoundStarts),
                                  cudaMemcpyDeviceToHost));
        size.took(count, seconds_since(begin));
    }
    return best_of_runs(instances, found, effort.runs);
}

} // namespace crx::search
