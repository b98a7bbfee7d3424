#pragma once

#include "kernels/cuda/device_batch.cuh"
#include "kernels/model/launch_monitor.hh"

#include <functional>

namespace crx {

// Long instances in slices (docs/decisions/130-long-instances-in-slices.md). A first kernel runs
// each for so many events at most, which is enough as a rule. Others begin anew in kernels that
// keep them in device memory from one to the next.

/// What a launch is left by where it is given up between two slices.
struct LaunchGivenUp
{
};

/// While it lives, slices that this thread launches ask this watch between them.
class MonitoredSlices
{
  public:
    explicit MonitoredSlices(LaunchMonitor& watch);
    ~MonitoredSlices();
    MonitoredSlices(MonitoredSlices const&) = delete;
    MonitoredSlices& operator=(MonitoredSlices const&) = delete;
};

/// Calls launch(slice, events) for slice = 0, 1, .. until no thread has counted up batch.unfinished
/// in one. A slice lasts about a tenth of a second, but for the first two, which have what comes
/// before the first event, too. Throws LaunchGivenUp. Waits for the kernels. Contract: events >= 1,
/// and the kernels finish in the end.
void run_in_slices(Batch const& batch,
                   std::function<void(int slice, std::int64_t events)> const& launch);

/// For kernels: an instance goes on.
__device__ inline void count_unfinished(Batch const& batch) { atomicAdd(batch.unfinished, 1ull); }

/// For kernels: the outcome of an instance, or that nothing is known of it, and it goes on.
__device__ inline void write_outcome(bool done, Outcome outcome, Batch const& batch, Outcome* to)
{
    if (!done) {
        outcome.give_up(Unfinished::none);
        count_unfinished(batch);
    }
    *to = outcome;
}

} // namespace crx
