#include "host/sweep/gpu_plan.hh"

#include "host/error.hh"
#include "host/sweep/progress.hh"
#include "kernels/base/seconds_since.hh"

#include <algorithm>
#include <fmt/core.h>

namespace crx {

namespace {

/// What calls of a GPU took.
struct GpuCalls
{
    double least = 0;           ///< seconds of the shorter of them
    double instance = 0;        ///< seconds of an instance in the last; 0: none was done
    std::int64_t instances = 0; ///< of the last
};

/// Instances that a call did.
std::int64_t call(Executor const& gpu, std::vector<PlannedCell const*> const& cells,
                  std::int64_t of_each, StopCondition const& stop)
{
    std::int64_t count = 0;
    std::vector<LaunchPart> parts;
    for (auto const* const cell : cells) {
        if (cell->paths == nullptr)
            parts.push_back({&cell->cell, {0, of_each}});
        else if (!stop.stop_asked())
            count += gpu.launch_paths(*cell->paths, {0, of_each}, stop).count;
    }
    if (parts.empty()) return count;
    auto const done = gpu.launch(parts, stop);
    if (done.error) std::rethrow_exception(done.error);
    for (auto const& part : done.parts) count += part.count;
    return count;
}

/// The first call makes a context, measures engines and finds how large batches may be; the second
/// is like those that follow.
GpuCalls measure_gpu(Executor const& gpu, std::vector<PlannedCell const*> const& cells,
                     std::int64_t most, std::function<bool()> const& stop_asked)
{
    constexpr double call_seconds = 2;
    auto const of_each =
        std::clamp<std::int64_t>(gpu.least / std::ssize(cells), 1, std::max<std::int64_t>(most, 1));
    GpuCalls calls;
    for (int k = 0; k < 2 && !stop_asked(); ++k) {
        auto const begin = std::chrono::steady_clock::now();
        StopCondition stop;
        stop.stop_asked = [&] { return seconds_since(begin) > call_seconds || stop_asked(); };
        auto const count = call(gpu, cells, of_each, stop);
        auto const seconds = seconds_since(begin);
        if (count == 0) break;
        calls = {k == 0 ? seconds : std::min(calls.least, seconds),
                 seconds / static_cast<double>(count), count};
    }
    return calls;
}

/// About how long a sweep takes that a GPU and the cores share.
std::string shared_text(GpuCalls const& gpu, SweepEstimate const& sweep, double takeable)
{
    auto const by_cores = sweep.core_seconds / sweep.threads;
    auto const share = static_cast<double>(
        share_of_gpu({sweep.core_seconds, gpu.least, gpu.instance},
                     static_cast<std::int64_t>(std::min(sweep.instances, 1e18)), sweep.threads));
    auto const of_gpu = std::min(share, takeable * sweep.instances);
    if (of_gpu < 1) return "together: nothing for the GPU, the cores alone end sooner\n";
    auto const seconds = std::max(of_gpu * gpu.instance, (sweep.instances - of_gpu) * by_cores);
    return fmt::format("together: about {}, {:.3g} % of the instances on the GPU\n",
                       duration_text(seconds), 100 * of_gpu / sweep.instances);
}

} // namespace

std::string gpu_plan_text(Backend const& backend, std::span<PlannedCell const> cells,
                          SweepEstimate const& sweep, std::int64_t instances_a_cell,
                          std::function<bool()> const& stop_asked)
{
    auto text = backend.text + "\n";
    if (backend.name != "cuda") return text;
    std::vector<PlannedCell const*> taken;
    std::string refusal;
    for (auto const& cell : cells) {
        auto const reason = cell.paths != nullptr ? std::string() : gpu_refusal(cell.cell);
        if (reason.empty())
            taken.push_back(&cell);
        else
            refusal = reason;
    }
    auto const takeable = static_cast<double>(taken.size()) / static_cast<double>(cells.size());
    if (!refusal.empty())
        text += fmt::format("on the CPU alone: {:.3g} % of the cells measured: {}\n",
                            100 * (1 - takeable), refusal);
    if (taken.empty()) return text;
    GpuCalls gpu;
    try {
        gpu = measure_gpu(backend.executors.front(), taken, instances_a_cell, stop_asked);
    } catch (std::exception const& error) {
        return text + "GPU: " + reason_of(error) + "\n";
    }
    if (gpu.instances == 0) return text + "GPU: not one instance ended in time\n";
    text += fmt::format("GPU: {:.3g} s an instance in a call of {}, {} for all that it takes\n",
                        gpu.instance, gpu.instances,
                        duration_text(takeable * sweep.instances * gpu.instance));
    if (backend.executors.size() > 1 && sweep.core_seconds > 0)
        text += shared_text(gpu, sweep, takeable);
    return text;
}

} // namespace crx
