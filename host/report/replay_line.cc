#include "host/report/replay_line.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "host/shell_word.hh"

#include <cmath>
#include <fmt/format.h>

namespace crx::report {

std::optional<std::int64_t> worst_instance(CellResult const& cell, std::size_t policy,
                                           BaselineKind baseline)
{
    if (cell.paths == nullptr) {
        auto const& largest = cell.tally.at(policy).sums.ratio[static_cast<int>(baseline)].largest;
        return largest.instance < 0 ? std::nullopt : std::optional(largest.instance);
    }
    auto const& paths = cell.paths->at(policy);
    std::optional<std::int64_t> worst;
    double most = -1;
    for (std::size_t path = 0; path < paths.size(); ++path) {
        auto const latency = fluid::latency(paths[path].tallies[cell.horizon]);
        if (!(latency > most)) continue; // NaN where nobody arrived
        most = latency;
        worst = static_cast<std::int64_t>(path);
    }
    return worst;
}

std::string replay_line(std::string const& store, std::int64_t cell, std::int64_t instance,
                        std::string const& label)
{
    return fmt::format("crx replay {} --cell {} --instance {} --policy {}", shell_word(store), cell,
                       instance, shell_word(label));
}

} // namespace crx::report
