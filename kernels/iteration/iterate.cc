#include "kernels/iteration/iterate.hh"

#include "kernels/base/vector_clones.hh"
#include "kernels/iteration/path_plan.hh"
#include "kernels/launch/launch_watch.hh"

#include <cstddef>
#include <memory>
#include <tbb/parallel_for.h>

namespace crx {
namespace {

using Tallies = std::vector<IterationTally>;

/// Instants between two questions whether to give up: milliseconds of work.
constexpr std::int64_t slice = 1 << 16;

/// Runs the path with a policy whose queues may be too short. `watch` may be null; if it says so,
/// the path is left where it is: running.
template <class Policy>
inline PathStatus try_path(PathPlan const& plan, std::int64_t path, std::int64_t room,
                           IterationTally* tallies, LaunchWatch* watch)
{
    auto const bytes = PathRun<Policy>::arena_bytes(plan, room);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Arena arena(block.get(), bytes);
    PathRun<Policy> run(plan, static_cast<std::uint64_t>(path), room, arena);
    auto status = PathStatus::running;
    while (status == PathStatus::running && (watch == nullptr || !watch->abandons()))
        status = run.run(plan, slice, tallies);
    return status;
}

CRX_VECTOR_CLONES PathStatus try_thresholds(PathPlan const& plan, std::int64_t path,
                                            std::int64_t room, IterationTally* tallies,
                                            LaunchWatch* watch)
{
    return try_path<ThresholdPolicy>(plan, path, room, tallies, watch);
}

CRX_VECTOR_CLONES PathStatus try_fcfs(PathPlan const& plan, std::int64_t path, std::int64_t room,
                                      IterationTally* tallies, LaunchWatch* watch)
{
    return try_path<FcfsPolicy>(plan, path, room, tallies, watch);
}

/// Empty: the watch said to give up.
Tallies execute(IterationCell const& cell, std::int64_t path, LaunchWatch* watch)
{
    auto const quorum = arrival_quorum(cell);
    auto const plan = path_plan(cell, quorum);
    auto const attempt = has_thresholds(cell.policy.kind) ? try_thresholds : try_fcfs;
    Tallies tallies(cell.checkpoints.size());
    for (auto room = first_path_room;; room *= path_room_factor) {
        auto const status = attempt(plan, path, room, tallies.data(), watch);
        if (status == PathStatus::done) return tallies;
        if (status == PathStatus::running) return {};
    }
}

} // namespace

std::vector<IterationTally> execute_path(IterationCell const& cell, std::int64_t path)
{
    return execute(cell, path, nullptr);
}

std::vector<std::vector<IterationTally>> launch_paths(IterationCell const& cell, std::int64_t first,
                                                      std::int64_t count, Patience const& patience)
{
    std::vector<std::vector<IterationTally>> paths(static_cast<std::size_t>(count));
    LaunchWatch watch({first, count}, patience);
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t) {
        auto const next = watch.next(1);
        if (next.count > 0)
            paths[static_cast<std::size_t>(next.first - first)] = execute(cell, next.first, &watch);
    });
    return paths;
}

} // namespace crx
