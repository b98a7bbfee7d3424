#include "kernels/engines/iterations/path_batches.hh"

#include "kernels/model/launch_monitor.hh"

#include <algorithm>
#include <numeric>

namespace crx {

std::vector<std::int64_t> arrival_quorum(IterationCell const& cell)
{
    std::vector<std::int64_t> quorum(cell.types.size(), 1);
    if (cell.policy.kind == IterationPolicyKind::wait && !cell.policy.names_prompts())
        for (std::size_t j = 0; j < quorum.size(); ++j)
            quorum[j] = cell.policy.thresholds.segments[j].threshold;
    return quorum;
}

PathPlan path_plan(IterationCell const& cell, std::vector<std::int64_t> const& quorum)
{
    CRX_EXPECT(!cell.checkpoints.empty() && cell.checkpoints.back() <= cell.arrivals.longest());
    CRX_EXPECT(quorum.size() == cell.types.size());
    CRX_EXPECT(!cell.policy.hard ||
               cell.policy.thresholds.prefill_tokens(cell.types) <= cell.policy.memory);
    PathPlan plan;
    plan.time = cell.time;
    plan.types = cell.types.data();
    plan.type_count = static_cast<std::int32_t>(cell.types.size());
    plan.capacity = cell.policy.memory;
    if (cell.policy.hard) plan.hard = cell.policy.memory;
    plan.seed = cell.seed;
    plan.arrivals = cell.arrivals.table();
    plan.quorum = quorum.data();
    plan.checkpoints = cell.checkpoints.data();
    plan.checkpoint_count = static_cast<std::int32_t>(cell.checkpoints.size());
    if (has_thresholds(cell.policy.kind))
        plan.thresholds = cell.policy.thresholds.plan(cell.types);
    else
        plan.fcfs = fcfs_plan(cell.policy, cell.types);
    return plan;
}

// Here and not where it is called, so that no launcher compiles a path's body for the host: only
// iterate.cc's is the one that is made for several processors.
template <class Policy>
std::size_t path_arena_bytes(PathPlan const& plan, std::int64_t room)
{
    return PathRun<Policy>::arena_bytes(plan, room);
}
template std::size_t path_arena_bytes<ThresholdPolicy>(PathPlan const&, std::int64_t);
template std::size_t path_arena_bytes<PromptThresholdPolicy>(PathPlan const&, std::int64_t);
template std::size_t path_arena_bytes<FcfsPolicy>(PathPlan const&, std::int64_t);

namespace {

using Seconds = std::chrono::duration<double>;

/// False: given up.
bool advance_all(PathSlots& slots, SliceLength& slice, LaunchMonitor& watch)
{
    while (std::ranges::find(slots.status(), PathStatus::running) != slots.status().end()) {
        if (watch.should_abort()) return false;
        auto const begin = std::chrono::steady_clock::now();
        slots.advance(slice.steps());
        slice.took(Seconds(std::chrono::steady_clock::now() - begin).count());
    }
    return true;
}

} // namespace

std::vector<std::vector<IterationTally>> run_in_slots(PathSlots& slots, IterationCell const& cell,
                                                      std::int64_t first, std::int64_t count,
                                                      StopCondition const& stop_condition,
                                                      double launch_seconds)
{
    std::vector<std::vector<IterationTally>> paths(static_cast<std::size_t>(count));
    LaunchMonitor watch({first, count}, stop_condition);
    SliceLength slice(launch_seconds, 256);
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(count));
    std::iota(wanted.begin(), wanted.end(), first);
    auto const checkpoints = cell.checkpoints.size();
    for (auto room = first_path_room; !wanted.empty(); room *= path_room_factor) {
        std::vector<std::int64_t> too_long; // their queues overflowed
        auto const most = static_cast<std::size_t>(slots.slots(room));
        for (std::size_t at = 0; at < wanted.size(); at += most) {
            auto const batch = std::span(wanted).subspan(at, std::min(most, wanted.size() - at));
            if (watch.should_abort()) return paths;
            slots.begin(batch, room);
            auto const finished = advance_all(slots, slice, watch);
            auto const status = slots.status();
            auto const tallies = slots.tallies();
            for (std::size_t k = 0; k < batch.size(); ++k) {
                auto const of_path = tallies.subspan(k * checkpoints, checkpoints);
                if (status[k] == PathStatus::done)
                    paths[static_cast<std::size_t>(batch[k] - first)].assign(of_path.begin(),
                                                                             of_path.end());
                else if (status[k] == PathStatus::no_room)
                    too_long.push_back(batch[k]);
            }
            if (!finished) return paths;
        }
        wanted = std::move(too_long);
    }
    return paths;
}

} // namespace crx
