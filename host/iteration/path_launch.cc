#include "host/iteration/path_launch.hh"

#include "host/iteration/iteration_setting.hh"
#include "kernels/cuda/device_paths.hh"

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

PathChunk launch_paths_gpu(IterationSetting const& setting, InstanceRange range,
                           StopCondition const& stop_condition)
{
    CRX_EXPECT(!setting.by_type);
    return of_all_policies(setting, range, [&](IterationCell const& cell, std::int64_t count) {
        return launch_paths_device(cell, range.first, count, stop_condition);
    });
}

} // namespace crx
