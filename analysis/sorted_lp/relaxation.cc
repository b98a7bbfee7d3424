#include "analysis/sorted_lp/relaxation.hh"

#include "analysis/sorted_lp/column_program.hh"
#include "analysis/sorted_lp/split_schedule.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace crx::sorted_lp {
namespace {

/// The better of two schedules that are at hand: an upper bound and a horizon.
baseline::Starts known_schedule(OwnedInstance const& instance)
{
    baseline::Starts best;
    for (auto const kind : {ShortestFirst::kind, ShortestTotalFirst::kind}) {
        auto const run = execute_single({kind, {}}, instance, 0, 0);
        if (run.outcome.finished == 0) continue;
        baseline::Starts const starts(run.start.begin(), run.start.end());
        if (best.empty() ||
            baseline::total_latency(instance, starts) < baseline::total_latency(instance, best))
            best = starts;
    }
    if (best.empty())
        throw std::domain_error("the total latency of mc-sf and of mc-sf-total is 2^62 or more");
    return best;
}

/// Deals the mass of each group in time order: its first member takes the first unit.
std::vector<double> mean_starts(std::vector<RequestGroup> const& groups,
                                std::vector<std::vector<FractionalStart>> const& schedule,
                                std::size_t requests)
{
    std::vector<double> mean(requests, 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto const count = static_cast<double>(groups[g].count());
        double dealt = 0; // of the group so far
        for (auto const& [start, part] : schedule[g]) {
            auto mass = part * count;
            while (mass > 1e-12) {
                auto const member =
                    std::min(static_cast<std::size_t>(dealt + 1e-9), groups[g].members.size() - 1);
                auto const room = static_cast<double>(member) + 1 - dealt;
                auto const share = room > 1e-9 ? std::min(mass, room) : mass;
                mean[groups[g].members[member]] += share * static_cast<double>(start);
                dealt += share;
                mass -= share;
            }
        }
    }
    return mean;
}

} // namespace

Relaxation relax(OwnedInstance const& instance, RelaxationSettings const& settings)
{
    CRX_EXPECT(!instance.output.empty() && settings.iterations >= 2);
    auto const groups = baseline::request_groups(instance);
    auto const known = known_schedule(instance);
    auto const upper = baseline::total_latency(instance, known);
    auto starts = *std::ranges::max_element(known) + 10;
    for (auto const& group : groups) starts = std::max(starts, group.arrival + 1);
    double entries = 0;
    for (auto const& group : groups)
        entries += static_cast<double>(starts) * static_cast<double>(group.output);
    auto const exact = entries <= settings.most_entries;
    Relaxation result;
    if (!exact)
        while (static_cast<double>(groups.size()) * static_cast<double>(starts) >
               settings.most_work * static_cast<double>(result.cell))
            result.cell *= 2;
    // Starts at multiples of the cell: one past the last arrival must be among them.
    starts = (starts / result.cell + 2) * result.cell;
    auto const ascent = baseline::ascend(
        instance, groups,
        {starts, result.cell, 0, upper, settings.iterations, settings.iterations / 2, 1e9});
    auto const bound = baseline::lagrangian_bound(instance, groups, ascent.prices, starts);
    result.lower = std::ldexp(static_cast<double>(bound), -baseline::Prices::fraction_bits);
    result.opt_lower_bound = baseline::whole_bound(bound);
    if (exact) {
        auto const lp = solve_by_columns(instance, groups, starts, ascent, known, settings.seconds);
        result.opt_lower_bound = std::max(result.opt_lower_bound, lp.lower_bound);
        if (lp.solved && lp.horizon_valid) {
            result.solved = true;
            result.lower = result.upper = lp.value;
            result.mean_start = mean_starts(groups, lp.schedule, instance.output.size());
            return result;
        }
    }
    auto const y = mean_starts(groups, ascent.schedule, instance.output.size());
    std::vector<std::size_t> order(y.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return y[i]; });
    auto split = split_schedule(instance, order, settings.pieces);
    result.upper = split.value;
    result.mean_start = std::move(split.mean_start);
    return result;
}

} // namespace crx::sorted_lp
