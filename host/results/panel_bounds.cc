#include "host/results/panel_curves.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "host/results/policy_text.hh"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

/// What a cell's numbers and its identity say.
bounds::CurveCase case_of(PanelSource const& source, CellResult const& cell)
{
    bounds::CurveCase at;
    at.baseline = source.baseline;
    at.u = value_of(cell, "upper");
    at.memory = value_of(cell, "memory");
    at.arrivals = arrives_over_time(cell);
    at.affine = is_timed(cell);
    if (auto const prompt = value_of(cell, "prompt")) at.prompts = *prompt > 0;
    auto const identity = nlohmann::json::parse(cell.identity, nullptr, false);
    if (identity.is_discarded() || !identity.contains("workload")) return at;
    auto const& workload = identity["workload"];
    if (!workload.contains("output") || !workload["output"].is_object()) return at;
    auto const& output = workload["output"];
    auto const law = output.value("law", std::string());
    // Prompts of a law or of a trace's rows are no one number.
    if (!at.prompts && (law == "trace" || workload.contains("prompt"))) at.prompts = true;
    at.other_lengths = law == "composition" ? output.value("values", nlohmann::json()).size() > 2
                                            : law != "two-point";
    return at;
}

} // namespace

std::vector<std::string> failed_hypotheses(PanelSource const& source, std::string const& curve)
{
    std::vector<std::string> all;
    auto const* hypotheses = bounds::hypotheses_of(curve);
    if (hypotheses == nullptr || source.measure == Measure::argmax || !is_ratio(source.measure))
        return all;
    for (auto const* cell : source.cells)
        for (auto const& failed : bounds::failed_hypotheses(*hypotheses, case_of(source, *cell)))
            if (std::ranges::find(all, failed) == all.end()) all.push_back(failed);
    return all;
}

std::string guides_text(std::vector<PanelSource> const& panels)
{
    std::vector<std::string> guides;
    for (auto const& source : panels)
        for (auto const& id : source.panel.curves) {
            auto const failed = failed_hypotheses(source, id);
            auto const* curve = bounds::find_curve(id);
            if (failed.empty() || curve == nullptr) continue;
            auto const text = fmt::format("{} ({})", curve->legend, fmt::join(failed, ", "));
            if (std::ranges::find(guides, text) == guides.end()) guides.push_back(text);
        }
    if (guides.empty()) return "";
    return fmt::format(" Guides, which are for other cases and bound nothing here: {}.",
                       fmt::join(guides, "; "));
}

std::optional<NearestPoint> nearest_point(PanelSource const& source,
                                          std::vector<Series> const& series,
                                          std::string const& curve)
{
    if (curve_subject(curve).policy.empty() || source.measure == Measure::argmax ||
        !is_ratio(source.measure) || !failed_hypotheses(source, curve).empty())
        return std::nullopt;
    std::optional<NearestPoint> nearest;
    for (auto const& one : series) {
        if (!speaks_of(curve, source.policies[one.policy].id)) continue;
        for (auto const& point : one.points) {
            auto const bound = curve_value(source, curve, *point.cell);
            // Where a bound is 1, as at alpha = 1, every schedule meets it.
            if (!bound || *bound <= 1 || !std::isfinite(point.y)) continue;
            NearestPoint const here{one.policy, point, *bound};
            if (!nearest || here.margin() < nearest->margin()) nearest = here;
        }
    }
    return nearest;
}

} // namespace crx
