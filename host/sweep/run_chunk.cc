#include "host/sweep/run_chunk.hh"

#include <stdexcept>

namespace crx {

ChunkResult run_chunk(Launch const& launch, LaunchPaths const& launch_paths, Cell const* cell,
                      IterationSetting const* paths, InstanceRange range,
                      StopCondition const& stop_condition)
{
    if (paths != nullptr) {
        auto done = launch_paths(*paths, range, stop_condition);
        return {{}, std::move(done.sums), done.count};
    }
    auto done = launch(*cell, range, stop_condition);
    for (auto const& policy : done.tally)
        if (policy.sums.count + policy.sums.unfinished != done.count)
            throw std::runtime_error("a policy's instances were not all counted");
    return {std::move(done.tally), {}, done.count, std::move(done.engines)};
}

} // namespace crx
