#include "kernels/cuda/slices.cuh"

#include "kernels/base/seconds_since.hh"
#include "kernels/cuda/launch_device.cuh"
#include "kernels/model/launch_monitor.hh"

namespace crx {
namespace {

constexpr double slice_seconds = 0.1;
/// Of the first kernel, which no others go on from: few instances have more.
constexpr std::int64_t first_events = 1 << 14;

thread_local LaunchMonitor* watch_of_thread = nullptr;

} // namespace

MonitoredSlices::MonitoredSlices(LaunchMonitor& watch) { watch_of_thread = &watch; }
MonitoredSlices::~MonitoredSlices() { watch_of_thread = nullptr; }

void run_in_slices(Batch const& batch,
                   std::function<void(int slice, std::int64_t events)> const& launch)
{
    if (batch.count == 0) return;
    CRX_EXPECT(batch.unfinished != nullptr);
    SliceLength length(slice_seconds, first_events);
    for (int slice = 0;; ++slice) {
        CRX_CUDA_CHECK(cudaMemsetAsync(batch.unfinished, 0, sizeof *batch.unfinished));
        auto const begin = std::chrono::steady_clock::now();
        launch(slice, batch.slice_events > 0 ? batch.slice_events : length.steps());
        unsigned long long unfinished = 0;
        CRX_CUDA_CHECK(
            cudaMemcpy(&unfinished, batch.unfinished, sizeof unfinished, cudaMemcpyDeviceToHost));
        if (unfinished == 0) return;
        if (slice > 1) length.took(seconds_since(begin)); // the first have waited for others, too
        if (watch_of_thread != nullptr && watch_of_thread->should_abort()) throw LaunchGivenUp{};
    }
}

} // namespace crx
