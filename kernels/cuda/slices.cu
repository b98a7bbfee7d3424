#include "kernels/cuda/slices.cuh"

#include "kernels/base/seconds_since.hh"
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

void run_in_slices(std::int64_t events, LaunchSlice const& launch)
{
    DeviceArray<unsigned long long> unfinished(1);
    SliceLength length(slice_seconds, first_events);
    for (int slice = 0;; ++slice) {
        CRX_CUDA_CHECK(cudaMemsetAsync(unfinished.data(), 0, sizeof(unsigned long long)));
        auto const begin = std::chrono::steady_clock::now();
        launch(slice, events > 0 ? events : length.steps(), unfinished.data());
        if (unfinished.all().front() == 0) return;
        if (slice > 1) length.took(seconds_since(begin)); // the first have waited for others, too
        if (watch_of_thread != nullptr && watch_of_thread->should_abort()) throw LaunchGivenUp{};
    }
}

} // namespace crx
