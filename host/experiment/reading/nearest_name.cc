#include "host/experiment/reading/nearest_name.hh"

#include <algorithm>

namespace crx {

namespace {

/// Optimal string alignment distance.
std::size_t edit_distance(std::string const& a, std::string const& b)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

} // namespace

std::string nearest_name(std::string const& wrong, std::vector<std::string> const& accepted)
{
    if (wrong.size() > 100) return {};
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
    for (auto const& name : accepted) {
        auto const distance = edit_distance(wrong, name);
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

std::string listed_with_nearest(std::string const& wrong, std::vector<std::string> accepted)
{
    std::sort(accepted.begin(), accepted.end());
    accepted.erase(std::unique(accepted.begin(), accepted.end()), accepted.end());
    std::string out;
    for (auto const& name : accepted) out += (out.empty() ? "" : ", ") + name;
    auto const nearest = nearest_name(wrong, accepted);
    return nearest.empty() ? out : out + " (did you mean " + nearest + "?)";
}

} // namespace crx
