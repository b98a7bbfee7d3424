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

/// Runs the path with a policy whose queues may be too short; nothing if they were.
template <class MakePolicy>
inline bool try_path(IterationCell const& cell, std::int64_t path, MakePolicy make,
                     Tallies& tallies)
{
    // WAIT never asks who came before a threshold was reached.
    std::vector<std::int64_t> quorum(cell.types.size(), 1);
    if (cell.policy.kind == IterationPolicyKind::wait)
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
    IterationClock clock(cell.time, cell.types.data(), static_cast<std::int32_t>(cell.types.size()),
                         cell.policy.memory, policy, arrivals);
    tallies.clear();
    for (auto const until : cell.checkpoints) {
        if (!clock.run_until(until)) return false;
        tallies.push_back(clock.tally());
    }
    return true;
}

CRX_VECTOR_CLONES bool try_thresholds(IterationCell const& cell, std::int64_t path,
                                      std::int64_t room, Tallies& tallies)
{
    auto const make = [&](Arena& arena) {
        return ThresholdPolicy(cell.policy.thresholds.plan(cell.types), room, arena);
    };
    return try_path(cell, path, make, tallies);
}

CRX_VECTOR_CLONES bool try_fcfs(IterationCell const& cell, std::int64_t path, std::int64_t room,
                                Tallies& tallies)
{
    auto const make = [&](Arena& arena) {
        return FcfsPolicy(fcfs_plan(cell.policy, cell.types), room, arena);
    };
    return try_path(cell, path, make, tallies);
}

} // namespace

std::vector<IterationTally> execute_path(IterationCell const& cell, std::int64_t path)
{
    CRX_EXPECT(!cell.checkpoints.empty() && cell.checkpoints.back() <= cell.arrivals.longest());
    auto const attempt = has_thresholds(cell.policy.kind) ? try_thresholds : try_fcfs;
    Tallies tallies;
    for (std::int64_t room = 1024; !attempt(cell, path, room, tallies); room *= 8) {
    }
    return tallies;
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

} // namespace crx
