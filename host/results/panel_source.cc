#include "host/results/panel_source.hh"

#include "host/error.hh"
#include "host/input/config_reader.hh"
#include "host/results/policy_text.hh"

#include <fmt/format.h>

namespace crx {

namespace {

std::string place_of(std::string const& name, std::size_t number, Panel const& panel)
{
    auto const title = panel.title.empty() ? "" : " (\"" + panel.title + "\")";
    return fmt::format("{}: panel {}{}", name, number + 1, title);
}

PanelSource source_of(StoreContents const& store, StoredPanels const& experiment,
                      Panel const& panel, std::string const& place)
{
    PanelSource source;
    source.panel = panel;
    source.policies = store.header.policies;
    source.confidence = experiment.confidence;
    source.place = place;
    auto const measure = measure_named(panel.measure);
    if (!measure) throw InputError(place + ": there is no measure \"" + panel.measure + "\"");
    source.measure = *measure;
    if (panel.is_frontier()) source.x_measure = measure_named(panel.x_measure).value();
    if (is_ratio(*measure) || (panel.is_frontier() && is_ratio(source.x_measure))) {
        auto const baseline = baseline_named(panel.baseline);
        if (!baseline)
            throw InputError(place + ": there is no baseline \"" + panel.baseline + "\"");
        source.baseline = *baseline;
    }
    if (*measure == Measure::argmax && panel.worst_over.empty())
        throw InputError(place + ": measure argmax needs worst_over, the axis to look along");
    source.cells = choose_cells(store.cells, panel, place);
    // Cells of one type are for panels that name it, those of all types together for the others.
    bool const by_type =
        panel.x == "type" || panel.series == "type" || panel.where.contains("type");
    std::erase_if(source.cells, [&](auto const* cell) { return by_type != (cell->type >= 0); });
    bool const of_a_request =
        is_of_a_request(*measure) || (panel.is_frontier() && is_of_a_request(source.x_measure));
    if (of_a_request && store.header.model == Model::rounds)
        for (auto const* cell : source.cells)
            if (!cell->parameters.contains("requests"))
                throw InputError(place + ": measure " + panel.measure +
                                 " is a mean over requests, whose number differs from instance to "
                                 "instance here (workload.instances), and a store keeps totals");
    return source;
}

/// What an axis without a label of its own says.
std::string axis_text(std::string const& name)
{
    static constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"alpha", "$\\alpha = \\ell/u$"},
        {"requests", "requests $n$"},
        {"memory", "memory $M$ (tokens)"},
        {"prompt", "prompt $s$ (tokens)"},
        {"lower", "lower end $\\ell$ (tokens)"},
        {"upper", "upper end $u$ (tokens)"},
        {"q", "$q$"},
        {"horizon", "horizon (seconds)"}};
    for (auto const& [id, text] : known)
        if (id == name) return std::string(text);
    return typeset(name);
}

std::vector<std::string> labels_in(std::vector<std::string> const& texts,
                                   std::vector<PolicyEntry> const& policies)
{
    std::vector<std::string> known, labels;
    for (auto const& policy : policies) known.push_back(policy.label);
    auto const is_known = [&](std::string const& label) {
        return std::ranges::find(known, label) != known.end();
    };
    for (auto const& text : texts) {
        if (is_known(text)) {
            labels.push_back(text);
            continue;
        }
        for (std::size_t at = 0; at <= text.size();) {
            auto const end = std::min(text.find(',', at), text.size());
            auto label = text.substr(at, end - at);
            label.erase(0, std::min(label.find_first_not_of(' '), label.size()));
            label.erase(label.find_last_not_of(' ') + 1);
            if (!is_known(label))
                throw ConfigError("command line", "--policies", label, one_of(label, known));
            labels.push_back(label);
            at = end + 1;
        }
    }
    return labels;
}

} // namespace

bool PanelSource::shows(PolicyEntry const& policy) const
{
    auto const& shown = panel.policies;
    return shown.empty() || std::ranges::find(shown, policy.label) != shown.end();
}

std::size_t PanelSource::shown_policies() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(policies, [&](auto const& policy) { return shows(policy); }));
}

std::vector<double> PanelSource::series_values() const
{
    if (panel.series.empty()) return {gap};
    return values_among(cells, panel.series, place);
}

Cells PanelSource::cells_at(double series_value) const
{
    if (panel.series.empty()) return cells;
    Cells found;
    for (auto const* cell : cells)
        if (same_value(*value_of(*cell, panel.series), series_value)) found.push_back(cell);
    return found;
}

bool PanelSource::all_at_zero() const
{
    return std::ranges::none_of(cells, [](auto const* cell) { return arrives_over_time(*cell); });
}

std::string PanelSource::time_unit() const
{
    return !cells.empty() && is_timed(*cells.front()) ? "seconds" : "rounds";
}

std::vector<PanelSource> panel_sources(StoreContents const& store, StoredPanels const& experiment,
                                       std::string const& name, std::optional<int> only)
{
    auto const count = experiment.panels.size();
    if (count == 0) throw InputError(name + ": its experiment has no [[panel]] to draw");
    if (only && !(*only >= 1 && static_cast<std::size_t>(*only) <= count))
        throw InputError(fmt::format("--panel = {}\n  not accepted: must be a number from 1 to {}",
                                     *only, count));
    if (std::none_of(store.cells.begin(), store.cells.end(),
                     [](CellResult const& cell) { return cell.instances > 0; }))
        throw InputError(name + ": no finished cells yet\n  run crx sweep first");
    std::vector<PanelSource> sources;
    for (std::size_t i = 0; i < count; ++i) {
        if (only && i + 1 != static_cast<std::size_t>(*only)) continue;
        auto const& panel = experiment.panels[i];
        if (!only && only_waits(store.cells, panel)) continue;
        sources.push_back(source_of(store, experiment, panel, place_of(name, i, panel)));
    }
    // Some cell is finished: if only in sweeps without a panel, say of the first what it waits for.
    if (sources.empty()) {
        auto const& panel = experiment.panels.front();
        sources.push_back(source_of(store, experiment, panel, place_of(name, 0, panel)));
    }
    return sources;
}

std::string x_label(PanelSource const& source)
{
    auto const& panel = source.panel;
    if (!panel.x_label.empty()) return typeset(panel.x_label);
    auto const of = [&](Measure what) {
        return measure_label(what, source.baseline, panel.worst_over, source.time_unit());
    };
    if (panel.is_distribution()) return of(source.measure);
    if (panel.is_frontier()) return of(source.x_measure);
    if (auto const measured = measure_named(panel.x); measured && is_of_requests(*measured))
        return measure_label(*measured, source.baseline, "", source.time_unit());
    return axis_text(panel.x);
}

// The experiment's label, with the measure behind it if it names no denominator.
std::string y_label(PanelSource const& source)
{
    auto const measure =
        measure_label(source.measure, source.baseline, source.panel.worst_over, source.time_unit());
    auto const& label = source.panel.y_label;
    if (source.panel.is_distribution()) {
        if (!label.empty()) return typeset(label);
        auto const share = source.cells.front()->paths ? "share of paths" : "share of instances";
        return share + std::string(source.panel.kind == "histogram" ? "" : ", this or more");
    }
    if (label.empty()) return measure;
    bool const says = label.find('/') != std::string::npos || !is_ratio(source.measure) ||
                      source.measure == Measure::argmax;
    return typeset(label) + (says ? "" : ", " + measure);
}

std::string series_text(PanelSource const& source, double value)
{
    if (source.panel.series.empty()) return "";
    auto text = fmt::format("{:.6g}", value);
    if (auto const e = text.find('e'); e != std::string::npos) // 1.1e+08 is set as 1.1 10^8
        text =
            fmt::format("${}\\cdot 10^{{{}}}$", text.substr(0, e), std::stoi(text.substr(e + 1)));
    return typeset(source.panel.series + " = ") + text;
}

void keep_policies(StoredPanels& experiment, std::vector<PolicyEntry> const& policies,
                   std::vector<std::string> const& texts, std::optional<int>& only)
{
    if (texts.empty()) return;
    if (only) {
        if (*only < 1 || static_cast<std::size_t>(*only) > experiment.panels.size()) return;
        experiment.panels = {experiment.panels[static_cast<std::size_t>(*only) - 1]};
        only = 1;
    }
    auto const wanted = labels_in(texts, policies);
    auto const is_wanted = [&](std::string const& label) {
        return std::ranges::find(wanted, label) != wanted.end();
    };
    auto const speaks_of_a_wanted = [&](std::string const& curve) {
        return curve_subject(curve).policy.empty() ||
               std::ranges::any_of(policies, [&](PolicyEntry const& policy) {
                   return is_wanted(policy.label) && speaks_of(curve, policy.id);
               });
    };
    std::erase_if(experiment.panels, [&](Panel& panel) {
        if (panel.policies.empty())
            panel.policies = wanted;
        else
            std::erase_if(panel.policies, std::not_fn(is_wanted));
        std::erase_if(panel.curves, std::not_fn(speaks_of_a_wanted));
        return panel.policies.empty();
    });
    if (experiment.panels.empty())
        throw InputError("--policies: no panel shows any of them\n"
                         "  --x NAME --y MEASURE makes a panel that the experiment does not have");
}

} // namespace crx
