#pragma once

#include "kernels/base/processor.hh"
#include "kernels/engines/iterations/iteration_model.cuh"
#include "kernels/engines/iterations/path_run.cuh"
#include "kernels/engines/iterations/request_log.hh"
#include "kernels/model/launch_monitor.hh"

#include <cstddef>
#include <memory>

namespace crx {

/// A try to run a path.
struct PathAttempt
{
    PathPlan const& plan;
    std::int64_t path, room;
    IterationTally* tallies;
    TypeTally* types;     ///< as PathRun::run has it
    RequestLog* log;      ///< of RequestEvents
    LaunchMonitor* watch; ///< null, or if it says so the path is left where it is: running
};

namespace {

template <class Policy, class Events>
inline PathStatus try_path(PathAttempt const& a)
{
    constexpr std::int64_t slice = 1 << 16; // instants between two questions: milliseconds
    auto const bytes = PathRun<Policy, Events>::arena_bytes(a.plan, a.room);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Arena arena(block.get(), bytes);
    Events events;
    if constexpr (Events::names) events.log = a.log;
    PathRun<Policy, Events> run(a.plan, static_cast<std::uint64_t>(a.path), a.room, arena, events);
    auto status = PathStatus::running;
    while (status == PathStatus::running && (a.watch == nullptr || !a.watch->should_abort()))
        status = run.run(a.plan, slice, a.tallies, a.types);
    return status;
}

} // namespace

CRX_FOR_EACH_LEVEL(PathStatus try_counts(PathAttempt const& a);
                   PathStatus try_typed_counts(PathAttempt const& a);
                   PathStatus try_prompts(PathAttempt const& a);
                   PathStatus try_fcfs(PathAttempt const& a);)

} // namespace crx
