#include "host/report/worst_runs.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "analysis/statistics/baseline_name.hh"
#include "host/report/replay_line.hh"

#include <algorithm>

namespace crx::report {

namespace {

/// The run's value in a cell; none where no run of the policy has one.
std::optional<WorstRun> worst_in(CellResult const& cell, std::size_t policy, BaselineKind baseline)
{
    auto const instance = worst_instance(cell, policy, baseline);
    if (!instance) return std::nullopt;
    if (cell.paths == nullptr) {
        auto const& largest = cell.tally[policy].sums.ratio[static_cast<int>(baseline)].largest;
        return WorstRun{&cell, policy, *instance, to_double(largest.ratio)};
    }
    auto const& path = cell.paths->at(policy)[static_cast<std::size_t>(*instance)];
    return WorstRun{&cell, policy, *instance, fluid::latency(path.tallies[cell.horizon])};
}

/// Cells of the iteration model are told at their last horizon, all types together.
bool is_told(CellResult const& cell)
{
    return cell.instances > 0 &&
           (cell.facts == nullptr ||
            (cell.type < 0 && cell.horizon + 1 == cell.facts->horizons.size()));
}

} // namespace

std::vector<WorstRun> worst_runs(StoreContents const& contents)
{
    auto const& header = contents.header;
    std::vector<WorstRun> all;
    std::optional<BaselineKind> baseline = BaselineKind::h_sf;
    if (header.model == Model::rounds) {
        if (header.baselines.empty()) return all;
        baseline = baseline_named(header.baselines.front());
        if (!baseline) return all;
    }
    for (std::size_t k = 0; k < header.policies.size(); ++k) {
        std::optional<WorstRun> worst;
        for (auto const& cell : contents.cells)
            if (is_told(cell))
                if (auto const here = worst_in(cell, k, *baseline);
                    here && (!worst || here->value > worst->value))
                    worst = here;
        if (worst) all.push_back(*worst);
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &WorstRun::value);
    return all;
}

} // namespace crx::report
