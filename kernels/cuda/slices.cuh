#pragma once

#include "kernels/cuda/device_array.cuh"
#include "kernels/cuda/device_batch.cuh"
#include "kernels/cuda/launch_device.cuh"
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

/// Launches what runs in one slice: every instance for so many events at most. Kernels count those
/// that go on in `unfinished`.
using LaunchSlice =
    std::function<void(int slice, std::int64_t events, unsigned long long* unfinished)>;

/// Calls launch for slice = 0, 1, .. until no instance goes on. A slice lasts about a tenth of a
/// second, but for the first two, which have what comes before the first event, too. `events`: of
/// each slice; 0: as many as take so long. Throws LaunchGivenUp. Waits for the kernels. Contract:
/// the kernels finish in the end.
void run_in_slices(std::int64_t events, LaunchSlice const& launch);

/// For kernels: the outcome of an instance, or that nothing is known of it, and it goes on.
__device__ inline void write_outcome(bool done, Outcome outcome, unsigned long long* unfinished,
                                     Outcome* to)
{
    if (!done) {
        outcome.give_up(Unfinished::none);
        atomicAdd(unfinished, 1ull);
    }
    *to = outcome;
}

// What runs an instance under a policy, known when the kernel is compiled, so that a kernel holds
// one engine only: `Source` has begin(), which runs so many events and keeps nothing, and
// go_on(), which keeps the engine in the arena, and whether begin() needs all registers (`wide`).

template <class Source>
struct BeginSlot
{
    static constexpr bool wide = Source::wide;
    GpuBatch batch;
    Outcome* outcome;
    std::int64_t events;
    unsigned long long* unfinished;
    __device__ void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        Outcome own;
        auto const done = Source::begin(events, batch, batch.cell_of(slot), k, own);
        write_outcome(done, own, unfinished, outcome + slot);
    }
};

template <class Source>
struct SliceSlot
{
    static constexpr bool wide = true;
    GpuBatch batch;
    Outcome* outcome;
    bool begins;
    std::int64_t events;
    unsigned long long* unfinished;
    __device__ void operator()(std::int64_t k) const
    {
        auto const slot = batch.slot_of(k);
        if (!is_unknown(outcome[slot])) return;
        Outcome own;
        auto const done = Source::go_on(begins, events, batch, batch.cell_of(slot), k, own);
        write_outcome(done, own, unfinished, outcome + slot);
    }
};

/// outcome[slot] of each, in slices. `bytes`: of an instance's arrays.
template <class Source>
void launch_in_slices(GpuBatch const& batch, std::size_t bytes, Outcome* outcome)
{
    run_with_engines<DeviceArray<char>>(batch, bytes, [&](GpuBatch const& part) {
        run_in_slices(
            part.slice_events, [&](int slice, std::int64_t events, unsigned long long* unfinished) {
                if (slice == 0)
                    launch(part.count, BeginSlot<Source>{part, outcome, events, unfinished});
                else
                    launch(part.count,
                           SliceSlot<Source>{part, outcome, slice == 1, events, unfinished});
            });
    });
}

} // namespace crx
