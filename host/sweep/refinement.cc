#include "host/sweep/refinement.hh"

#include <set>

namespace crx {

std::vector<std::pair<double, double>> gaps_to_refine(std::vector<LineCell> const& line)
{
    std::set<std::pair<double, double>> gaps;
    auto const policies = line.empty() ? 0 : line.front().ratios.size();
    for (std::size_t policy = 0; policy < policies; ++policy) {
        std::size_t worst = 0;
        for (std::size_t i = 1; i < line.size(); ++i)
            if (larger_mean(line[i].ratios[policy], line[worst].ratios[policy])) worst = i;
        if (line[worst].ratios[policy].count == 0) continue;
        if (worst > 0) gaps.emplace(line[worst - 1].value, line[worst].value);
        if (worst + 1 < line.size()) gaps.emplace(line[worst].value, line[worst + 1].value);
    }
    return {gaps.begin(), gaps.end()};
}

} // namespace crx
