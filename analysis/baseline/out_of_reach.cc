#include "analysis/baseline/out_of_reach.hh"

#include "analysis/baseline/identical_dual.hh"
#include "analysis/baseline/idle_gaps.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <fmt/format.h>

namespace crx::baseline {

namespace {

std::string program_too_large(OwnedInstance const& original)
{
    WithoutIdleGaps const times(original);
    auto const& instance = times.instance();
    auto const groups = request_groups(instance);
    // A schedule has no more tokens in a round than M, so it lasts at least so long.
    double volume = 0, longest = 0;
    for (auto const& group : groups) {
        double const o = group.output;
        volume += static_cast<double>(group.count()) * (o * group.prompt + o * (o + 1) / 2);
        longest = std::max(longest, o);
    }
    double const least = std::max(volume / static_cast<double>(instance.memory) - longest, 0.0);
    auto entries = program_entries(groups, static_cast<Rounds>(std::min(least, 1e15)));
    if (entries <= most_program_entries) {
        auto const run = execute_single({ShortestFirst::kind, {}}, instance, 0, 0);
        if (run.outcome.finished == 0) return {};
        entries = program_entries(groups, *std::ranges::max_element(run.start) + 10);
    }
    if (entries <= most_program_entries) return {};
    return fmt::format("the program is too large, {:.2g} entries (rounds times output tokens), "
                       "where {:.2g} are the most that is tried",
                       entries, most_program_entries);
}

} // namespace

double program_entries(std::vector<RequestGroup> const& groups, Rounds horizon)
{
    double entries = 0;
    for (auto const& group : groups) entries += static_cast<double>(horizon) * group.output;
    return entries;
}

std::string why_out_of_reach(BaselineKind kind, OwnedInstance const& instance)
{
    switch (kind) {
    case BaselineKind::dual:
        return are_identical(instance) ? "" : "it needs identical requests that all arrive at 0";
    case BaselineKind::peaks:
    case BaselineKind::opt: return program_too_large(instance);
    case BaselineKind::h_sf:
    case BaselineKind::volume:
    case BaselineKind::release:
    case BaselineKind::mc_sf:
    case BaselineKind::best_found:
    case BaselineKind::opt_lower:
    case BaselineKind::opt_upper: break;
    }
    return {};
}

} // namespace crx::baseline
