#include "host/experiment/panel_list.hh"
#include "host/experiment/measure_plan.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "host/error.hh"
#include "host/experiment/iteration_plan.hh"

#include <algorithm>
#include <numeric>
#include <set>

namespace crx {

std::vector<std::string> measures_of(Model model, Panel const& panel)
{
    if (panel.is_distribution() && model == Model::rounds) return {"ratio"};
    if (panel.is_distribution())
        return {"mean-latency",   "mean-first-token",       "throughput",
                "throughput-gap", "throughput-gap-as-in-8", "peak-memory"};
    std::vector<std::string> names{
        "mean-latency",  "mean-first-token", "throughput-gap", "throughput-gap-as-in-8",
        "throughput",    "peak-memory",      "largest-memory", "overflow-frequency",
        "cancellations", "iterations"};
    if (model == Model::rounds) {
        names = {"ratio-of-means", "mean-of-ratios", "mean-latency", "mean-first-token",
                 "mean-makespan",  "p99-ratio",      "worst-ratio",  "unfinished"};
        if (!panel.is_frontier()) names.insert(names.end() - 1, "argmax");
    }
    for (auto& name : request_statistic_names()) names.push_back(std::move(name));
    return names;
}

namespace {

using Axes = std::vector<std::pair<std::string, std::vector<double>>>;

std::vector<double> const* values_of(Axes const& axes, std::string const& axis)
{
    for (auto const& [name, values] : axes)
        if (name == axis) return &values;
    return nullptr;
}

/// The value of an axis that the file means: 0.1 for 0.1 + 2^-56.
double axis_value(ConfigReader& reader, std::string const& axis, ConfigValue const& value,
                  std::vector<double> const& values)
{
    std::string accepted = "one of the axis's values";
    for (std::size_t i = 0; i < values.size() && i < 8; ++i)
        accepted += (i == 0 ? ": " : ", ") + written_number(values[i]);
    if (values.size() > 8) accepted += ", .., " + written_number(values.back());
    if (value.is_number())
        for (double x : values)
            if (std::abs(x - value.number()) <= 1e-9 * std::abs(x)) return x;
    reader.reject("where." + axis, value, accepted);
}

/// Axes that a name stands for: itself, or those its expression leads to.
std::set<std::string> axes_behind(std::string const& name, SweepPlan const& plan)
{
    std::set<std::string> seen, axes;
    std::vector<std::string> open{name};
    if (name == "alpha" && values_of(plan.sweep.axes, name) == nullptr)
        open.insert(open.end(), {"lower", "upper"});
    while (!open.empty()) {
        auto const next = open.back();
        open.pop_back();
        if (!seen.insert(next).second) continue;
        if (values_of(plan.sweep.axes, next) != nullptr) {
            axes.insert(next);
            continue;
        }
        for (auto const& [variable, expression] : plan.variables)
            if (variable == next)
                open.insert(open.end(), expression.names().begin(), expression.names().end());
        for (auto const& [field, expression] : plan.workload.expressions())
            if (field == next)
                open.insert(open.end(), expression->names().begin(), expression->names().end());
    }
    return axes;
}

/// Rejects a panel that would draw several cells at one place of one line. `shown` are axes that x
/// leads to; `optional` one that may be left open.
void check_axes_shown(ConfigReader const& reader, Panel const& panel, Axes const& axes,
                      std::set<std::string> shown, std::string const& optional = {})
{
    shown.insert({panel.x, panel.worst_over, panel.series, optional});
    for (auto const& fixed : panel.where) shown.insert(fixed.first);
    for (auto const& [axis, values] : axes)
        if (values.size() > 1 && !shown.contains(axis))
            throw InputError(reader.table().where + ": " +
                             (panel.is_distribution() ? reader.path("kind") + " = \"" + panel.kind
                                                      : reader.path("x") + " = \"" + panel.x) +
                             "\"\n  not accepted: must be a panel that says what becomes of axis " +
                             axis +
                             (panel.is_distribution() ? ": in series or where"
                                                      : ": in x, worst_over, series or where"));
}

void check_axes_shown(ConfigReader const& reader, Panel const& panel, SweepPlan const& plan)
{
    auto shown = axes_behind(panel.x, plan);
    if (request_statistic_named(panel.x)) // a point a cell, wherever it lies
        for (auto const& axis : plan.sweep.axes) shown.insert(axis.first);
    for (auto const& axis : shown)
        if (panel.x != axis && (axis == panel.worst_over || axis == panel.series)) return;
    check_axes_shown(reader, panel, plan.sweep.axes, std::move(shown));
}

/// Rejects a mean over requests where cells do not have one number of them.
void check_measure(ConfigReader& reader, Panel const& panel, PanelSweep const& sweep)
{
    if (panel.measure != "mean-latency" && panel.measure != "mean-first-token") return;
    if (std::ranges::find(*sweep.parameters, "requests") == sweep.parameters->end())
        reader.reject("measure", *reader.find("measure"),
                      "another measure where the number of requests differs from instance to "
                      "instance (workload.instances), as sums are kept of totals alone");
}

std::vector<std::string> curves_of(Model model)
{
    if (model == Model::iterations) return {"x^-1", "x^-1/2", "x^1/2", "x^1"};
    std::vector<std::string> curves;
    for (auto const& curve : bounds::curve_catalogue()) curves.push_back(curve.id);
    return curves;
}

/// Refuses keys that say nothing in a panel of this kind.
void leave_out(ConfigReader& reader, Panel const& panel, std::initializer_list<char const*> keys)
{
    for (auto const* key : keys)
        if (auto const* value = reader.find(key))
            reader.reject(key, *value, "left out in a panel of kind " + panel.kind);
}

/// What lies along the bottom: `names` are axes and parameters, where they are known.
void read_bottom(ConfigReader& reader, Panel& panel, Model model,
                 std::vector<std::string> const& axes,
                 std::optional<std::vector<std::string>> const& names)
{
    if (panel.is_distribution()) return leave_out(reader, panel, {"x"});
    if (!panel.is_frontier()) {
        panel.x = names ? reader.choice("x", *names) : reader.text("x");
        return;
    }
    panel.x_measure = reader.choice("x", measures_of(model, panel));
    panel.x = reader.choice("along", axes);
}

Panel read_panel(ConfigReader& reader, PanelNames const& known)
{
    std::vector<std::string> sweeps;
    for (auto const& sweep : known.sweeps) sweeps.push_back(sweep.name);
    Panel panel;
    panel.sweep = reader.choice("sweep", sweeps);
    auto const& sweep = *std::ranges::find(known.sweeps, panel.sweep, &PanelSweep::name);
    std::vector<std::string> axes;
    for (auto const& axis : sweep.axes) axes.push_back(axis.first);
    auto names = sweep.parameters;
    if (names) names->insert(names->begin(), axes.begin(), axes.end());
    if (names)
        if (auto const given = reader.text("x", ""); // forty names would hide the axes in a message
            std::ranges::count(request_statistic_names(), given) > 0)
            names->push_back(given);
    panel.kind = reader.choice("kind", {"curve", "histogram", "exceedance", "frontier", "heatmap"},
                               panel.kind);
    read_bottom(reader, panel, known.model, axes, names);
    panel.title = reader.text("title", "");
    panel.x_label = reader.text("x_label", "");
    panel.y_label = reader.text("y_label", "");
    auto const measures = measures_of(known.model, panel);
    panel.measure = reader.choice("measure", measures, measures.front());
    auto const& baselines = known.baselines;
    panel.baseline.clear();
    if (known.model == Model::rounds)
        panel.baseline = reader.choice("baseline", baselines, baselines.front());
    if (panel.is_distribution()) leave_out(reader, panel, {"worst_over"});
    if (panel.kind != "curve") leave_out(reader, panel, {"curves", "fit"});
    panel.worst_over = reader.choice("worst_over", axes, "");
    if (panel.kind == "heatmap" && reader.find("series") == nullptr)
        reader.reject_missing("series", "the axis of a heat map's rows");
    panel.series = reader.choice("series", axes, "");
    panel.policies = reader.choices("policies", known.labels, {});
    panel.curves = reader.choices("curves", curves_of(known.model), {});
    panel.log_x = reader.flag("log_x", false);
    panel.log_y = reader.flag("log_y", false);
    panel.y_min = reader.optional_number("y_min", {});
    panel.y_max = reader.optional_number("y_max", {});
    if (panel.y_min && panel.y_max && !(*panel.y_min < *panel.y_max))
        reader.reject("y_max", *reader.find("y_max"), "above y_min");
    panel.fit = reader.choice("fit", {"linear", "log", "log-log"}, "");
    panel.fit_from = reader.optional_number("fit_from", {});
    if (panel.fit_from && panel.fit.empty())
        reader.reject("fit_from", *reader.find("fit_from"), "left out where there is no fit");
    if (auto const* where = reader.find("where")) {
        ConfigReader fixed(*where, reader.path("where"));
        for (auto const& axis : axes)
            if (auto const* value = fixed.find(axis))
                panel.where[axis] = axis_value(reader, axis, *value, *values_of(sweep.axes, axis));
        fixed.finish();
    }
    reader.finish();
    return panel;
}

/// Names of the parameters of a sweep's cells, by its first.
std::vector<std::string> parameters_of(Experiment::Detail const& experiment, SweepPlan const& plan)
{
    Coordinates first;
    for (auto const& [name, values] : plan.sweep.axes) first.emplace_back(name, values.front());
    std::vector<std::string> names;
    for (auto const& parameter : plan_cell(experiment, plan, first, CellWork::check).parameters)
        names.push_back(parameter.first);
    return names;
}

std::string key_of(std::size_t i) { return "panel." + std::to_string(i); }

} // namespace

std::vector<Panel> read_panels(ConfigReader& top, Experiment::Detail const& experiment)
{
    if (top.find("panel") == nullptr) return {};
    PanelNames names;
    for (auto const& plan : experiment.sweeps)
        names.sweeps.push_back({plan.sweep.name, plan.sweep.axes, parameters_of(experiment, plan)});
    for (auto const& policy : experiment.policies) names.labels.push_back(policy.entry.label);
    names.baselines = experiment.baseline_plan.ids;
    auto const panels = read_panels(top, names);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        ConfigReader reader(top.find("panel")->list[i], key_of(i));
        check_axes_shown(reader, panels[i], *experiment.find(panels[i].sweep));
        check_measure(reader, panels[i],
                      *std::ranges::find(names.sweeps, panels[i].sweep, &PanelSweep::name));
    }
    return panels;
}

std::vector<Panel> read_panels(ConfigReader& top, PanelNames const& names)
{
    std::vector<Panel> panels;
    auto const* list = top.find("panel");
    if (list == nullptr) return panels;
    if (list->kind != ConfigValue::Kind::list)
        top.reject("panel", *list, written_with_two_brackets("panel"));
    Mistakes mistakes;
    for (std::size_t i = 0; i < list->list.size(); ++i)
        mistakes.collect([&] {
            ConfigReader reader(list->list[i], key_of(i));
            panels.push_back(read_panel(reader, names));
        });
    mistakes.throw_all();
    return panels;
}

namespace {

/// Refuses a panel of the iteration model that leaves an axis open. Sums of each type are kept for
/// two measures.
void check_axes_shown(ConfigReader& reader, Panel const& panel, IterationSweep const& sweep,
                      Axes const& axes)
{
    std::set<std::string> shown;
    if (values_of(axes, panel.x) == nullptr) // a number that axes lead to
        for (auto const& [axis, values] : sweep.sweep.axes) shown.insert(axis);
    if (request_statistic_named(panel.x)) shown.insert("horizon");
    check_axes_shown(reader, panel, axes, std::move(shown), "type");
    bool const by_type = panel.x == "type" || panel.worst_over == "type" ||
                         panel.series == "type" || panel.where.contains("type");
    if (by_type && panel.measure != "mean-latency" && panel.measure != "mean-first-token")
        reader.reject("measure", *reader.find("measure"),
                      "mean-latency or mean-first-token where the panel names type: no other sum "
                      "is kept of each type");
}

} // namespace

std::vector<Panel> read_panels(ConfigReader& top, IterationPlan const& plan)
{
    if (top.find("panel") == nullptr) return {};
    PanelNames names;
    names.model = Model::iterations;
    for (auto const& sweep : plan.sweeps) {
        PanelSweep panel_sweep{sweep.sweep.name, sweep.sweep.axes, {}};
        Coordinates first;
        for (auto const& [name, values] : sweep.sweep.axes)
            first.emplace_back(name, values.front());
        panel_sweep.parameters.emplace();
        for (auto const& parameter : plan_iteration_cell(plan, sweep, first).parameters)
            panel_sweep.parameters->push_back(parameter.first);
        panel_sweep.axes.emplace_back("horizon", sweep.horizons);
        if (sweep.types > 0) {
            std::vector<double> types(sweep.types);
            std::iota(types.begin(), types.end(), 0.0);
            panel_sweep.axes.emplace_back("type", std::move(types));
        }
        names.sweeps.push_back(std::move(panel_sweep));
    }
    for (auto const& policy : plan.policies) names.labels.push_back(policy.label);
    auto const panels = read_panels(top, names);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        ConfigReader reader(top.find("panel")->list[i], key_of(i));
        auto const at = std::ranges::find(names.sweeps, panels[i].sweep, &PanelSweep::name);
        check_axes_shown(reader, panels[i],
                         plan.sweeps[static_cast<std::size_t>(at - names.sweeps.begin())],
                         at->axes);
    }
    return panels;
}

} // namespace crx
