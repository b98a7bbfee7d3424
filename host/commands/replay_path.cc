#include "host/commands/replay_path.hh"

#include "analysis/fluid/heavy_traffic.hh"
#include "host/experiment/experiment.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/output_file.hh"
#include "host/simulate/run_report.hh"

#include <cmath>
#include <fmt/core.h>

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// A mean over arrivals, "-" where there are none.
std::string mean_text(double mean)
{
    return std::isfinite(mean) ? fmt::format("{:.6g}", mean) : "-";
}

std::string path_as_text(std::string const& label, PathReplay const& run)
{
    auto out = fmt::format("{}\n{:>12} {:>10} {:>10} {:>12} {:>12} {:>10} {:>10} {:>9} {:>8}\n",
                           label, "horizon s", "arrivals", "completed", "latency s", "1st token s",
                           "iterations", "cancelled", "overflows", "memory");
    for (auto const& t : run.tallies)
        out += fmt::format("{:>12.7g} {:>10} {:>10} {:>12} {:>12} {:>10} {:>10} {:>9} {:>8}\n",
                           static_cast<double>(t.until) * 1e-9, t.arrivals, t.completed,
                           mean_text(fluid::latency(t)), mean_text(fluid::first_token(t)),
                           t.iterations, t.cancelled, t.overflows, t.peak_memory);
    return out;
}

} // namespace

void replay_stored_path(StoredWork const& work, PathRequest const& request)
{
    auto const& setting = *work.cell.paths;
    auto json = OrderedJson::array();
    auto text = fmt::format("cell {}, sweep {}{}; path {}\n", request.cell, work.cell.sweep,
                            point_clause(work.cell.coordinates), request.path);
    for (auto const k : request.policies) {
        auto const& entry = setting.policies[k];
        auto const run = replay_path(setting.cell(entry), request.path);
        if (request.json) {
            json.push_back(path_as_json(entry.label, request.path, run));
            auto& object = json.back();
            object["cell"] = request.cell;
            object["memory"] = entry.spec.memory > 0 ? OrderedJson(entry.spec.memory) : nullptr;
            if (request.with_timeline) object["timeline"] = timeline_as_json(run.timeline);
        } else
            text += path_as_text(entry.label, run);
        if (!request.timeline_file.empty())
            write_file(request.timeline_file, timeline_as_csv(run.timeline));
    }
    write_stdout(request.json ? json.dump(1) + "\n" : text);
}

} // namespace crx
