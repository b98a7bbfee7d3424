#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace crx {

/// What a launch on a GPU spends time with.
enum class GpuTask
{
    other,      ///< the rest, the host's own work among it
    allocation, ///< device memory is taken and given back
    copies,     ///< between the host and the GPU, either way
    instances,  ///< kernels that write requests or counts
    engines,    ///< kernels that run policies and bounds
    repairs,    ///< kernels that run what an engine did not take
    sums        ///< kernels that add up outcomes, ratios and bins
};
inline constexpr int gpu_tasks = 7;
inline char const* name_of(GpuTask task)
{
    constexpr char const* names[gpu_tasks] = {"other",   "allocation", "copies", "instances",
                                              "engines", "repairs",    "sums"};
    return names[static_cast<int>(task)];
}

/// Where the time of launches went since measure_gpu_times().
struct GpuTimes
{
    double seconds[gpu_tasks] = {};
    std::int64_t run = 0;  ///< instances that mc-sf-batch ran
    std::int64_t lost = 0; ///< of these, those that it did not take
    double all() const { return std::accumulate(seconds, seconds + gpu_tasks, 0.0); }
};

/// Begins to measure from zero, or ends it. To measure, the host waits for the GPU whenever the
/// task changes: what launches take together is a little more than without. Contract: one thread
/// launches at a time.
void measure_gpu_times(bool on);
GpuTimes gpu_times();

/// While one lives, time belongs to its task, not to that of the one around it. Costs nothing where
/// nothing is measured.
class TimedGpuTask
{
  public:
    explicit TimedGpuTask(GpuTask task);
    ~TimedGpuTask();
    TimedGpuTask(TimedGpuTask const&) = delete;
    TimedGpuTask& operator=(TimedGpuTask const&) = delete;

  private:
    GpuTask before_;
};

/// Adds numbers of instances to those of the times.
void count_lost(std::int64_t run, std::int64_t lost);
bool measures_gpu_times();

/// The engines that the CUDA side can launch: for a test. Only where the program is built with
/// CUDA, or for the emulated GPU.
std::vector<std::string_view> gpu_launch_names();

} // namespace crx
