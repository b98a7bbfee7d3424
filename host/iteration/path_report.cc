#include "host/iteration/path_report.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "host/json_number.hh"

namespace crx {

nlohmann::ordered_json path_as_json(std::string const& label, std::int64_t path,
                                    PathReplay const& run)
{
    nlohmann::ordered_json out{
        {"policy", label}, {"path", path}, {"horizons", nlohmann::ordered_json::array()}};
    for (auto const& t : run.tallies)
        out["horizons"].push_back({{"horizon", static_cast<double>(t.until) * 1e-9},
                                   {"arrivals", t.arrivals},
                                   {"completed", t.completed},
                                   {"completed_tokens", t.completed_tokens},
                                   {"mean_latency", number_or_null(fluid::latency(t))},
                                   {"mean_first_token", number_or_null(fluid::first_token(t))},
                                   {"iterations", t.iterations},
                                   {"cancelled", t.cancelled},
                                   {"overflows", t.overflows},
                                   {"peak_memory", t.peak_memory}});
    return out;
}

} // namespace crx
