#include "host/sweep/refinement.hh"

#include "analysis/statistics/summary.hh"

#include <set>

namespace crx {

std::vector<std::pair<double, double>> gaps_to_refine(std::vector<LineCell> const& line,
                                                      BaselineKind baseline)
{
    std::set<std::pair<double, double>> gaps;
    auto const policies = line.empty() ? 0 : line.front().sums.size();
    for (std::size_t policy = 0; policy < policies; ++policy) {
        std::size_t worst = 0;
        for (std::size_t i = 1; i < line.size(); ++i)
            if (larger_mean_ratio(line[i].sums[policy], line[worst].sums[policy], baseline))
                worst = i;
        if (line[worst].sums[policy].count == 0) continue;
        if (worst > 0) gaps.emplace(line[worst - 1].value, line[worst].value);
        if (worst + 1 < line.size()) gaps.emplace(line[worst].value, line[worst + 1].value);
    }
    return {gaps.begin(), gaps.end()};
}

} // namespace crx
