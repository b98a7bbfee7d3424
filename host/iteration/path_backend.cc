#include "host/iteration/path_backend.hh"

#include "host/error.hh"
#include "host/iteration/iteration_setting.hh"
#include "kernels/backends/cuda/device_paths.hh"

namespace crx {
namespace {

/// The first paths of `launched`, up to one that was given up or not begun.
std::vector<PathRecord> finished(std::vector<std::vector<IterationTally>> launched,
                                 std::int64_t first)
{
    std::vector<PathRecord> records;
    for (auto& tallies : launched) {
        if (tallies.empty()) break;
        records.push_back({first++, std::move(tallies), {}});
    }
    return records;
}
std::vector<PathRecord> finished(std::vector<TypedPath> launched, std::int64_t first)
{
    std::vector<PathRecord> records;
    for (auto& path : launched) {
        if (path.tallies.empty()) break;
        records.push_back({first++, std::move(path.tallies), std::move(path.types)});
    }
    return records;
}

/// Runs policy after policy; what is kept are the paths that all of them finished.
template <class Launch>
PathChunk of_all_policies(IterationSetting const& setting, InstanceRange range, Launch launch)
{
    PathChunk chunk;
    chunk.count = range.count;
    for (auto const& entry : setting.policies) {
        chunk.sums.push_back(finished(launch(setting.cell(entry), chunk.count), range.first));
        chunk.count = static_cast<std::int64_t>(chunk.sums.back().size());
        if (chunk.count == 0) break;
    }
    for (auto& paths : chunk.sums) paths.resize(static_cast<std::size_t>(chunk.count));
    return chunk;
}

} // namespace

PathChunk launch_paths_host(IterationSetting const& setting, InstanceRange range,
                            StopCondition const& stop_condition)
{
    if (setting.by_type)
        return of_all_policies(setting, range, [&](IterationCell const& cell, std::int64_t count) {
            return launch_typed_paths(cell, range.first, count, stop_condition);
        });
    return of_all_policies(setting, range, [&](IterationCell const& cell, std::int64_t count) {
        return launch_paths(cell, range.first, count, stop_condition);
    });
}

Backend choose_path_backend(std::string const& wanted, bool by_type)
{
    auto const cpu = [](std::string const& why) {
        Backend backend{"cpu", "", "running on the CPU" + why, {}, 0};
        backend.launch_paths = launch_paths_host;
        return backend;
    };
    if (wanted == "cpu") return cpu("");
    if (by_type && wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu with run.by_type: sums of each type are made on the CPU");
    if (by_type) return cpu(", where sums of each type are made");
    auto const device = find_device();
    if (!device.name.empty()) {
        Backend backend{"cuda", device.name, "running on " + device.name, {}, 1};
        backend.launch_paths = [](IterationSetting const& setting, InstanceRange range,
                                  StopCondition const& stop_condition) {
            return of_all_policies(
                setting, range, [&](IterationCell const& cell, std::int64_t count) {
                    return launch_paths_device(cell, range.first, count, stop_condition);
                });
        };
        // A thread a path: as many as a large card has threads, which their memory may not allow.
        backend.least_chunk = 1 << 16;
        return backend;
    }
    if (wanted == "cuda")
        throw ConfigError("command line", "--backend", "cuda",
                          "auto or cpu here: " + device.reason);
    return cpu("; no CUDA: " + device.reason);
}

} // namespace crx
