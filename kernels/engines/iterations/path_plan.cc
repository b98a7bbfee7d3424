#include "kernels/engines/iterations/path_plan.hh"

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

} // namespace crx
