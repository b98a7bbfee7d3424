#include "analysis/fluid/type_latency.hh"

namespace crx::fluid {
TypePoint type_point(std::vector<TypeTally> const& paths, Nanoseconds until, double confidence)
{
    CRX_EXPECT(!paths.empty() && confidence > 0 && confidence < 1);
    TypePoint point;
    std::vector<double> latency, first_token, arrivals;
    for (auto const& tally : paths) {
        point.arrivals += tally.arrivals;
        point.completed += tally.completed;
        point.first_tokens += tally.first_tokens;
        latency.push_back(static_cast<double>(tally.total_latency(until)) * 1e-9);
        first_token.push_back(static_cast<double>(tally.total_time_to_first_token(until)) * 1e-9);
        arrivals.push_back(static_cast<double>(tally.arrivals));
    }
    point.latency = ratio_over_paths(latency, arrivals, confidence);
    point.first_token = ratio_over_paths(first_token, arrivals, confidence);
    return point;
}

} // namespace crx::fluid
