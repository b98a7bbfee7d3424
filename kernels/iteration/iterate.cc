#include "kernels/iteration/iterate.hh"

#include "kernels/iteration/iteration_clock.cuh"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <tbb/parallel_for.h>

namespace crx {
namespace {

/// Runs the path with queues of `room` prompts; nothing if they were too short.
template <class MakePolicy>
std::optional<std::vector<IterationTally>> try_path(IterationCell const& cell, std::int64_t path,
                                                    MakePolicy make)
{
    Arena counter(nullptr, 0);
    make(counter);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(counter.bytes_used());
    Arena arena(block.get(), counter.bytes_used());
    auto policy = make(arena);
    PoissonArrivals arrivals(cell.arrivals.table(), cell.seed, static_cast<std::uint64_t>(path));
    IterationClock clock(cell.time, cell.types.data(), cell.policy.memory, policy, arrivals);
    std::vector<IterationTally> tallies;
    for (auto const until : cell.checkpoints) {
        if (!clock.run_until(until)) return {};
        tallies.push_back(clock.tally());
    }
    return tallies;
}

} // namespace

PoissonTable PoissonRates::table() const
{
    auto const slices = static_cast<std::int32_t>(threshold.size()) / types;
    return {mean_gap, types, slices, slice_length, threshold.data(), thinned};
}

PoissonRates poisson_rates(std::vector<std::vector<double>> const& rate, Nanoseconds slice_length)
{
    std::vector<double> totals;
    for (auto const& slice : rate) {
        double total = 0;
        for (auto const each : slice) {
            CRX_EXPECT(each >= 0);
            total += each;
        }
        totals.push_back(total);
    }
    auto const most = std::ranges::max(totals);
    CRX_EXPECT(most > 0 && most < 1e9);
    PoissonRates out;
    out.types = static_cast<std::int32_t>(rate.front().size());
    out.slice_length = slice_length;
    out.mean_gap = static_cast<std::uint64_t>(std::llround(0x1p20 * 1e9 / most));
    for (std::size_t s = 0; s < rate.size(); ++s) {
        double sum = 0;
        out.thinned = out.thinned || totals[s] < most;
        for (auto const each : rate[s]) {
            sum += each;
            auto const share = std::min(sum / most, 1.0);
            out.threshold.push_back(share < 1 ? static_cast<std::uint64_t>(share * 0x1p64)
                                              : ~std::uint64_t{0});
        }
    }
    return out;
}

std::vector<IterationTally> execute_path(IterationCell const& cell, std::int64_t path)
{
    for (std::int64_t room = 1024;; room *= 8) {
        auto const tallies =
            has_thresholds(cell.policy.kind)
                ? try_path(cell, path,
                           [&](Arena& arena) {
                               return ThresholdPolicy(cell.policy.thresholds.plan(cell.types), room,
                                                      arena);
                           })
                : try_path(cell, path, [&](Arena& arena) {
                      return FcfsPolicy(fcfs_plan(cell.policy, cell.types), room, arena);
                  });
        if (tallies) return *tallies;
    }
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
