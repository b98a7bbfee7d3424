#include "kernels/engines/iterations/iterate.hh"

#include "kernels/backends/cpu/launch_watch.hh"
#include "kernels/engines/iterations/path_plan.hh"
#include "kernels/simd/vector_clones.hh"

#include <cstddef>
#include <memory>
#include <tbb/parallel_for.h>

namespace crx {
namespace {

/// Instants between two questions whether to give up: milliseconds of work.
constexpr std::int64_t slice = 1 << 16;

/// A try to run a path.
struct Attempt
{
    PathPlan const& plan;
    std::int64_t path, room;
    IterationTally* tallies;
    TypeTally* types;   ///< as PathRun::run has it
    LaunchWatch* watch; ///< null, or if it says so the path is left where it is: running
};

template <class Policy, class Events>
inline PathStatus try_path(Attempt const& a)
{
    auto const bytes = PathRun<Policy, Events>::arena_bytes(a.plan, a.room);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Arena arena(block.get(), bytes);
    PathRun<Policy, Events> run(a.plan, static_cast<std::uint64_t>(a.path), a.room, arena);
    auto status = PathStatus::running;
    while (status == PathStatus::running && (a.watch == nullptr || !a.watch->abandons()))
        status = run.run(a.plan, slice, a.tallies, a.types);
    return status;
}

CRX_VECTOR_CLONES PathStatus try_counts(Attempt const& a)
{
    return try_path<ThresholdPolicy, NoTypeEvents>(a);
}
CRX_VECTOR_CLONES PathStatus try_typed_counts(Attempt const& a)
{
    return try_path<ThresholdPolicy, TypeEvents>(a);
}
CRX_VECTOR_CLONES PathStatus try_prompts(Attempt const& a)
{
    return try_path<PromptThresholdPolicy, NoTypeEvents>(a);
}
CRX_VECTOR_CLONES PathStatus try_fcfs(Attempt const& a)
{
    return try_path<FcfsPolicy, NoTypeEvents>(a);
}
// Without clones: what they do beside drawing arrivals gains nothing from them.
PathStatus try_typed_prompts(Attempt const& a)
{
    return try_path<PromptThresholdPolicy, TypeEvents>(a);
}
PathStatus try_typed_fcfs(Attempt const& a) { return try_path<FcfsPolicy, TypeEvents>(a); }

auto attempt_for(IterationPolicySpec const& policy, bool by_type)
{
    if (!has_thresholds(policy.kind)) return by_type ? try_typed_fcfs : try_fcfs;
    if (policy.names_prompts()) return by_type ? try_typed_prompts : try_prompts;
    if (!by_type) return try_counts;
    return policy.kind == IterationPolicyKind::wait ? try_typed_counts : try_typed_prompts;
}

/// False: the watch said to give up. `types` may be null.
bool execute(IterationCell const& cell, std::int64_t path, LaunchWatch* watch,
             std::vector<IterationTally>& tallies, std::vector<TypeTally>* types)
{
    auto const quorum = arrival_quorum(cell);
    auto const plan = path_plan(cell, quorum);
    auto const attempt = attempt_for(cell.policy, types != nullptr);
    tallies.resize(cell.checkpoints.size());
    if (types != nullptr) types->resize(cell.checkpoints.size() * cell.types.size());
    for (auto room = first_path_room;; room *= path_room_factor) {
        auto const status = attempt(
            {plan, path, room, tallies.data(), types == nullptr ? nullptr : types->data(), watch});
        if (status == PathStatus::done) return true;
        if (status == PathStatus::running) break;
    }
    tallies.clear();
    return false;
}

std::vector<IterationTally> totals_of_path(IterationCell const& cell, std::int64_t path,
                                           LaunchWatch* watch)
{
    std::vector<IterationTally> tallies;
    execute(cell, path, watch, tallies, nullptr);
    return tallies;
}

TypedPath types_of_path(IterationCell const& cell, std::int64_t path, LaunchWatch* watch)
{
    TypedPath out;
    std::vector<TypeTally> types;
    if (!execute(cell, path, watch, out.tallies, &types)) return out;
    auto const count = static_cast<std::ptrdiff_t>(cell.types.size());
    for (auto row = types.begin(); row != types.end(); row += count)
        out.types.emplace_back(row, row + count);
    return out;
}

template <class Path>
std::vector<Path> launch(std::int64_t first, std::int64_t count,
                         StopCondition const& stop_condition, IterationCell const& cell,
                         Path (*run)(IterationCell const&, std::int64_t, LaunchWatch*))
{
    std::vector<Path> paths(static_cast<std::size_t>(count));
    LaunchWatch watch({first, count}, stop_condition);
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t) {
        auto const next = watch.next(1);
        if (next.count > 0)
            paths[static_cast<std::size_t>(next.first - first)] = run(cell, next.first, &watch);
    });
    return paths;
}

} // namespace

std::vector<IterationTally> execute_path(IterationCell const& cell, std::int64_t path)
{
    return totals_of_path(cell, path, nullptr);
}

TypedPath execute_typed_path(IterationCell const& cell, std::int64_t path)
{
    return types_of_path(cell, path, nullptr);
}

std::vector<std::vector<IterationTally>> launch_paths(IterationCell const& cell, std::int64_t first,
                                                      std::int64_t count,
                                                      StopCondition const& stop_condition)
{
    return launch(first, count, stop_condition, cell, totals_of_path);
}

std::vector<TypedPath> launch_typed_paths(IterationCell const& cell, std::int64_t first,
                                          std::int64_t count, StopCondition const& stop_condition)
{
    return launch(first, count, stop_condition, cell, types_of_path);
}

} // namespace crx
