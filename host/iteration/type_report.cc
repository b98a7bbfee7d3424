#include "host/iteration/type_report.hh"

#include <cmath>
#include <fmt/core.h>

namespace crx {
TypeCurve type_curve(std::vector<TypedPath> const& paths, double confidence)
{
    TypeCurve curve;
    auto const& first = paths.front();
    for (std::size_t c = 0; c < first.tallies.size(); ++c) {
        curve.emplace_back();
        for (std::size_t j = 0; j < first.types[c].size(); ++j) {
            std::vector<TypeTally> tallies;
            for (auto const& path : paths) tallies.push_back(path.types[c][j]);
            curve.back().push_back(fluid::type_point(tallies, first.tallies[c].until, confidence));
        }
    }
    return curve;
}

std::string mean_fields(fluid::PathMean const& m)
{
    auto out = std::isfinite(m.mean) ? fmt::format(",{:.8g},", m.mean) : std::string(",,");
    if (std::isfinite(m.half_width)) out += fmt::format("{:.3g}", m.half_width);
    return out;
}

std::string csv_text(std::string const& text)
{
    std::string out = "\"";
    for (char const c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}

std::string type_csv(IterationExperiment const& experiment, std::vector<TypeCurve> const& curves)
{
    std::string out = "policy,zeta,horizon_s,paths,type,prompt,output,rate,arrivals,completed,"
                      "latency_s,latency_half_width,ttft_s,ttft_half_width\n";
    for (std::size_t k = 0; k < curves.size(); ++k) {
        auto const label = csv_text(experiment.policies[k].label);
        for (std::size_t z = 0; z < curves[k].size(); ++z) {
            auto const zeta = std::ldexp(1.0, static_cast<int>(z));
            for (std::size_t j = 0; j < curves[k][z].size(); ++j) {
                auto const& p = curves[k][z][j];
                auto const& type = experiment.load.types[j];
                out += fmt::format("{},{},{:.10g},{},{},{},{},{:.10g},{},{}", label, zeta,
                                   experiment.horizon * zeta, experiment.paths, j, type.prompt,
                                   type.output, experiment.load.rate[j], p.arrivals, p.completed);
                out += mean_fields(p.latency) + mean_fields(p.first_token) + "\n";
            }
        }
    }
    return out;
}

} // namespace crx
