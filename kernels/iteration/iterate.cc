#include "kernels/iteration/iterate.hh"

#include "kernels/base/vector_clones.hh"
#include "kernels/iteration/iteration_clock.cuh"

#include <cstddef>
#include <memory>
#include <optional>
#include <tbb/parallel_for.h>

namespace crx {
namespace {

using Tallies = std::vector<IterationTally>;
using TypeTallies = std::vector<std::vector<TypeTally>>;

/// The type's sums up to the last checkpoint that was reached.
std::vector<TypeTally> with_arrivals(std::vector<TypeTally> tally, PoissonArrivals const& arrivals,
                                     Nanoseconds until)
{
    for (std::size_t j = 0; j < tally.size(); ++j) {
        auto const [count, time] = arrivals.totals(static_cast<std::int32_t>(j), until);
        tally[j].arrivals = count;
        tally[j].arrival_time = time;
    }
    return tally;
}

/// Runs the path with a policy whose queues may be too short; nothing if they were. `by_count`: the
/// policy is WAIT's by counts. `types` is null or gets the tallies of each type.
template <class Events, class MakePolicy>
inline bool try_path(IterationCell const& cell, std::int64_t path, bool by_count, MakePolicy make,
                     Tallies& tallies, TypeTallies* types)
{
    std::vector<std::int64_t> quorum(cell.types.size(), 1);
    if (by_count) // it never asks who came before a threshold was reached
        for (std::size_t j = 0; j < quorum.size(); ++j)
            quorum[j] = cell.policy.thresholds.segments[j].threshold;
    auto const table = cell.arrivals.table();
    auto const arrive = [&](Arena& arena) {
        return PoissonArrivals(table, cell.seed, static_cast<std::uint64_t>(path), quorum.data(),
                               cell.checkpoints.data(),
                               static_cast<std::int32_t>(cell.checkpoints.size()), arena);
    };
    Arena counter(nullptr, 0);
    make(counter);
    arrive(counter);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(counter.bytes_used());
    Arena arena(block.get(), counter.bytes_used());
    auto policy = make(arena);
    auto arrivals = arrive(arena);
    std::vector<TypeTally> tally;
    Events events;
    if constexpr (Events::wanted) {
        tally.resize(cell.types.size());
        events.tally = tally.data();
        types->clear();
    }
    IterationClock clock(cell.time, cell.types.data(), static_cast<std::int32_t>(cell.types.size()),
                         cell.policy.memory, policy, arrivals, NoIterationLog{}, events);
    tallies.clear();
    for (auto const until : cell.checkpoints) {
        if (!clock.run_until(until)) return false;
        tallies.push_back(clock.tally());
        if constexpr (Events::wanted) types->push_back(with_arrivals(tally, arrivals, until));
    }
    return true;
}

template <class Events>
inline bool try_counted(IterationCell const& cell, std::int64_t path, std::int64_t room,
                        Tallies& tallies, TypeTallies* types)
{
    auto const make = [&](Arena& arena) {
        return ThresholdPolicy(cell.policy.thresholds.plan(cell.types), room, arena);
    };
    return try_path<Events>(cell, path, cell.policy.kind == IterationPolicyKind::wait, make,
                            tallies, types);
}

CRX_VECTOR_CLONES bool try_thresholds(IterationCell const& cell, std::int64_t path,
                                      std::int64_t room, Tallies& tallies, TypeTallies*)
{
    return try_counted<NoTypeEvents>(cell, path, room, tallies, nullptr);
}

CRX_VECTOR_CLONES bool try_typed_wait(IterationCell const& cell, std::int64_t path,
                                      std::int64_t room, Tallies& tallies, TypeTallies* types)
{
    return try_counted<TypeEvents>(cell, path, room, tallies, types);
}

template <class Events>
inline bool try_named(IterationCell const& cell, std::int64_t path, std::int64_t room,
                      Tallies& tallies, TypeTallies* types)
{
    auto const make = [&](Arena& arena) {
        return PromptThresholdPolicy(cell.policy.thresholds.plan(cell.types),
                                     cell.policy.hard ? cell.policy.memory : 0, room, arena);
    };
    return try_path<Events>(cell, path, false, make, tallies, types);
}

template <class Events>
inline bool try_fcfs(IterationCell const& cell, std::int64_t path, std::int64_t room,
                     Tallies& tallies, TypeTallies* types)
{
    auto const make = [&](Arena& arena) {
        return FcfsPolicy(fcfs_plan(cell.policy, cell.types), room, arena);
    };
    return try_path<Events>(cell, path, false, make, tallies, types);
}

CRX_VECTOR_CLONES bool try_prompts(IterationCell const& cell, std::int64_t path, std::int64_t room,
                                   Tallies& tallies, TypeTallies*)
{
    return has_thresholds(cell.policy.kind)
               ? try_named<NoTypeEvents>(cell, path, room, tallies, nullptr)
               : try_fcfs<NoTypeEvents>(cell, path, room, tallies, nullptr);
}

/// Without clones: what it does beside drawing arrivals gains nothing from them.
bool try_typed(IterationCell const& cell, std::int64_t path, std::int64_t room, Tallies& tallies,
               TypeTallies* types)
{
    return has_thresholds(cell.policy.kind)
               ? try_named<TypeEvents>(cell, path, room, tallies, types)
               : try_fcfs<TypeEvents>(cell, path, room, tallies, types);
}

Tallies execute(IterationCell const& cell, std::int64_t path, TypeTallies* types)
{
    CRX_EXPECT(!cell.checkpoints.empty() && cell.checkpoints.back() <= cell.arrivals.longest());
    CRX_EXPECT(!cell.policy.hard ||
               cell.policy.thresholds.prefill_tokens(cell.types) <= cell.policy.memory);
    auto const counted = has_thresholds(cell.policy.kind) && !cell.policy.names_prompts();
    auto const attempt = types == nullptr ? (counted ? try_thresholds : try_prompts)
                         : counted && cell.policy.kind == IterationPolicyKind::wait ? try_typed_wait
                                                                                    : try_typed;
    Tallies tallies;
    for (std::int64_t room = 1024; !attempt(cell, path, room, tallies, types); room *= 8) {
    }
    return tallies;
}

} // namespace

std::vector<IterationTally> execute_path(IterationCell const& cell, std::int64_t path)
{
    return execute(cell, path, nullptr);
}

TypedPath execute_typed_path(IterationCell const& cell, std::int64_t path)
{
    TypedPath out;
    out.tallies = execute(cell, path, &out.types);
    return out;
}

std::vector<std::vector<IterationTally>> launch_paths(IterationCell const& cell, std::int64_t first,
                                                      std::int64_t count)
{
    std::vector<std::vector<IterationTally>> paths(static_cast<std::size_t>(count));
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t k) {
        paths[static_cast<std::size_t>(k)] = execute_path(cell, first + k);
    });
    return paths;
}

std::vector<TypedPath> launch_typed_paths(IterationCell const& cell, std::int64_t first,
                                          std::int64_t count)
{
    std::vector<TypedPath> paths(static_cast<std::size_t>(count));
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t k) {
        paths[static_cast<std::size_t>(k)] = execute_typed_path(cell, first + k);
    });
    return paths;
}

} // namespace crx
