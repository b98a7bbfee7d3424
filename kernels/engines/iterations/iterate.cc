#include "kernels/engines/iterations/iterate.hh"

#include "kernels/base/parallel.hh"
#include "kernels/engines/iterations/iterate_simd.hh"
#include "kernels/engines/iterations/path_batches.hh"

#include <optional>

namespace crx {
namespace {

using Attempt = PathStatus (*)(PathAttempt const&);

/// The one in vectors, if there is one, else the portable one.
template <class Policy, class Events = NoTypeEvents>
Attempt either(Attempt in_vectors)
{
    return in_vectors != nullptr ? in_vectors : try_path<Policy, Events>;
}
Attempt attempt_for(IterationPolicySpec const& policy, bool by_type, bool measured)
{
    if (measured)
        return has_thresholds(policy.kind) ? try_path<PromptThresholdPolicy, RequestEvents>
                                           : try_path<FcfsPolicy, RequestEvents>;
    auto const level = simd_level();
    if (!has_thresholds(policy.kind))
        return by_type ? try_path<FcfsPolicy, TypeEvents>
                       : either<FcfsPolicy>(CRX_AT_LEVEL(level, try_fcfs));
    if (!policy.names_prompts() && !by_type)
        return either<ThresholdPolicy>(CRX_AT_LEVEL(level, try_counts));
    if (!policy.names_prompts() && policy.kind == IterationPolicyKind::wait)
        return either<ThresholdPolicy, TypeEvents>(CRX_AT_LEVEL(level, try_typed_counts));
    return by_type ? try_path<PromptThresholdPolicy, TypeEvents>
                   : either<PromptThresholdPolicy>(CRX_AT_LEVEL(level, try_prompts));
}

/// False: the watch said to give up. `types` may be null; without them nothing is measured.
bool execute(IterationCell const& cell, std::int64_t path, LaunchMonitor* watch,
             std::vector<IterationTally>& tallies, std::vector<TypeTally>* types = nullptr,
             std::vector<MeasureGroup>* measures = nullptr)
{
    auto const quorum = arrival_quorum(cell);
    auto const plan = path_plan(cell, quorum);
    bool const measured = measures != nullptr && cell.measures.any();
    auto const attempt = attempt_for(cell.policy, types != nullptr, measured);
    tallies.resize(cell.checkpoints.size());
    if (types != nullptr) types->resize(cell.checkpoints.size() * cell.types.size());
    for (auto room = first_path_room;; room *= path_room_factor) {
        std::optional<RequestLog> log;
        if (measured) log.emplace(cell.measures, plan);
        auto const status =
            attempt({plan, path, room, tallies.data(), types == nullptr ? nullptr : types->data(),
                     log ? &*log : nullptr, watch});
        if (status == PathStatus::done && measured) *measures = log->groups();
        if (status == PathStatus::done) return true;
        if (status == PathStatus::running) break;
    }
    tallies.clear();
    return false;
}

std::vector<IterationTally> totals_of_path(IterationCell const& cell, std::int64_t path,
                                           LaunchMonitor* watch)
{
    std::vector<IterationTally> tallies;
    execute(cell, path, watch, tallies);
    return tallies;
}

TypedPath types_of_path(IterationCell const& cell, std::int64_t path, LaunchMonitor* watch)
{
    TypedPath out;
    std::vector<TypeTally> types;
    if (!execute(cell, path, watch, out.tallies, &types, &out.measures)) return out;
    auto const count = static_cast<std::ptrdiff_t>(cell.types.size());
    for (auto row = types.begin(); row != types.end(); row += count)
        out.types.emplace_back(row, row + count);
    return out;
}

template <class Path>
std::vector<Path> launch(std::int64_t first, std::int64_t count,
                         StopCondition const& stop_condition, IterationCell const& cell,
                         Path (*run)(IterationCell const&, std::int64_t, LaunchMonitor*))
{
    std::vector<Path> paths(static_cast<std::size_t>(count));
    LaunchMonitor watch({first, count}, stop_condition);
    crx::parallel_for(std::int64_t{0}, count, [&](std::int64_t) {
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
