#include "host/results/panel_document.hh"
#include "host/results/request_measures.hh"

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/fluid/heavy_traffic.hh"
#include "host/build_info.hh"
#include "host/error.hh"
#include "host/json_number.hh"
#include "host/results/caption.hh"
#include "host/results/distribution.hh"
#include "host/results/what_is_missing.hh"
#include "host/results/panel_fits.hh"
#include "host/results/policy_text.hh"
#include "host/shell_word.hh"

#include <fmt/format.h>

#include <set>

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string unit_of(PanelSource const& source)
{
    if (is_of_requests(source.measure))
        return request_unit(statistic_of(source.measure), source.time_unit());
    switch (source.measure) {
    case Measure::mean_latency:
    case Measure::mean_first_token:
    case Measure::mean_makespan:
        return source.cells.front()->paths ? "seconds" : source.time_unit();
    case Measure::throughput:
    case Measure::throughput_gap:
    case Measure::throughput_gap_as_in_8: return "tokens/s";
    case Measure::peak_memory:
    case Measure::largest_memory: return "tokens";
    default: return "";
    }
}

void add_counts(OrderedJson& object, PointCounts const& counts)
{
    object["instances"] = counts.behind;
    object["unfinished"] = counts.unfinished;
    if (counts.undivided > 0) object["without_denominator"] = counts.undivided;
    if (counts.unfinished_elsewhere > 0)
        object["unfinished_in_other_cells"] = counts.unfinished_elsewhere;
    if (counts.without_arrivals > 0) object["without_arrivals"] = counts.without_arrivals;
}

void add_basis(OrderedJson& object, Basis const& basis)
{
    object["different"] = basis.different ? OrderedJson(*basis.different) : OrderedJson();
    object["off_mode"] = basis.off_mode ? OrderedJson(*basis.off_mode) : OrderedJson();
    object["largest_five"] = number_or_null(basis.largest_five);
    object["basis"] = to_text(basis);
    if (basis.is_few()) object["few"] = true;
}

/// [[x, y], ..], null where a line breaks.
OrderedJson line_json(std::vector<LinePoint> const& points)
{
    auto all = OrderedJson::array();
    for (auto const& point : points) all.push_back({point.x, number_or_null(point.y)});
    return all;
}

OrderedJson fit_json(Panel const& panel, PanelFit const& fit)
{
    if (!fit.fit) return {};
    OrderedJson out{{"from", fit.from}, {"to", fit.to}, {"points", fit.fit->points}};
    out["slope"] = fit.fit->slope;
    out["half_width"] = number_or_null(fit.fit->half_width());
    out["half_width_scatter"] = number_or_null(fit.fit->scatter);
    out["half_width_sampling"] = number_or_null(fit.fit->sampling);
    if (panel.fit == "log-log")
        out["factor"] = std::exp(fit.fit->intercept);
    else
        out["intercept"] = fit.fit->intercept;
    if (fit.first_half) {
        out["first_half"] = *fit.first_half;
        out["second_half"] = *fit.second_half;
        out["changing"] = fit.changing;
    }
    out["r_squared"] = fit.fit->r_squared;
    out["drawn"] = line_json(fitted_line(panel, fit));
    return out;
}

/// The baseline by which a panel's points name their worst instance.
std::optional<BaselineKind> baseline_of(PanelSource const& source, StoreContents const& contents)
{
    if (is_ratio(source.measure)) return source.baseline;
    if (contents.header.baselines.empty()) return std::nullopt;
    return baseline_named(contents.header.baselines.front());
}

/// What lies along the bottom, by name.
std::string const& bottom_of(Panel const& panel)
{
    if (panel.is_distribution()) return panel.measure;
    return panel.is_frontier() ? panel.x_measure : panel.x;
}

/// One panel, from what it is made from.
class PanelJson
{
  public:
    PanelJson(StoreContents const& contents, PanelSource const& source, MissingBaselines& missing)
        : source_(source), missing_(missing), baseline_(baseline_of(source, contents)),
          series_(panel_series(source))
    {
    }

    OrderedJson json()
    {
        auto const& panel = source_.panel;
        OrderedJson out{{"confidence", source_.confidence}};
        if (is_ratio(source_.measure) || (panel.is_frontier() && is_ratio(source_.x_measure)))
            out["baseline"] = panel.baseline;
        if (panel.kind == "histogram" && has_points()) out["bin_width"] = bin_width(source_);
        out["x_axis"] = {{"name", bottom_of(panel)},
                         {"label", x_label(source_)},
                         {"scale", panel.log_x ? "log" : "linear"},
                         {"low", nullptr},
                         {"high", nullptr}};
        out["y_axis"] = {{"name", panel.is_distribution() ? "share" : panel.measure},
                         {"label", y_label(source_)},
                         {"exact", measure_label(source_.measure, source_.baseline,
                                                 panel.worst_over, source_.time_unit())},
                         {"unit", panel.is_distribution() ? "" : unit_of(source_)},
                         {"scale", panel.log_y ? "log" : "linear"},
                         {"low", number_or_null(panel.y_min)},
                         {"high", number_or_null(panel.y_max)}};
        if (!panel.series.empty()) out["series_values"] = source_.series_values();
        out["series"] = all_series();
        try {
            out["curves"] = all_curves();
        } catch (InputError const& error) {
            out["error"] = error.what();
        }
        return out;
    }

    bool has_points() const { return !series_.empty(); }
    Marks marks() const
    {
        Marks marks;
        for (auto const& series : series_)
            for (auto const& point : series.points) {
                marks.partial |= point.partial;
                marks.few |= point.is_few();
            }
        return marks;
    }

  private:
    OrderedJson series_json(std::size_t number, std::optional<double> value) const
    {
        auto const& policy = source_.policies[number];
        OrderedJson out{
            {"policy", policy.label}, {"id", policy.id}, {"variant", policy_variant(policy)}};
        if (value) {
            auto const values = source_.series_values();
            out[source_.panel.series] = *value;
            out["series_value"] = *value;
            out["series_index"] =
                std::ranges::find_if(values, [&](double v) { return same_value(v, *value); }) -
                values.begin();
        }
        out["label"] = series_label(source_, number, value);
        out["has_curve"] = has_curve(source_.panel, policy);
        out["joined"] = is_joined(source_, policy);
        out["points"] = OrderedJson::array();
        return out;
    }

    OrderedJson point_json(Point const& point, std::size_t policy) const
    {
        OrderedJson out{{"x", point.x},
                        {"y", point.y},
                        {"low", number_or_null(point.low)},
                        {"high", number_or_null(point.high)}};
        if (source_.panel.is_frontier()) {
            out["x_low"] = number_or_null(point.x_low);
            out["x_high"] = number_or_null(point.x_high);
        }
        add_counts(out, point.counts);
        if (point.partial) out["partial"] = true;
        if (point.basis) add_basis(out, *point.basis);
        add_place(out, *point.cell, policy);
        return out;
    }

    void add_place(OrderedJson& out, CellResult const& cell, std::size_t policy) const
    {
        out["cell"] = cell.index;
        out["coordinates"] = coordinates_json(cell);
        out["worst_instance"] = nullptr;
        if (cell.paths == nullptr && !baseline_) return;
        if (auto const worst = worst_instance(cell, policy, baseline_.value_or(BaselineKind::h_sf)))
            out["worst_instance"] = *worst;
    }

    /// Moves the values of one series that are not there from the list into its object.
    void take_missing(std::vector<MissingValue>& missing, std::size_t policy,
                      std::optional<double> value, OrderedJson& series)
    {
        std::erase_if(missing, [&](MissingValue const& m) {
            if (m.policy != policy || m.series_value != value) return false;
            OrderedJson object{
                {"x", number_or_null(m.x)}, {"cells", m.cells}, {"of_cells", m.of_cells}};
            add_counts(object, m.counts);
            if (m.counts.undivided > 0)
                if (auto const why = missing_.why(*m.first, source_.baseline); !why.empty())
                    object["reason"] = why;
            series["without_value"].push_back(object);
            return true;
        });
    }

    OrderedJson all_series()
    {
        auto all = OrderedJson::array();
        auto const fits = panel_fits(source_, series_);
        auto missing = missing_values(source_);
        for (std::size_t i = 0; i < series_.size(); ++i) {
            auto const& series = series_[i];
            auto out = series_json(series.policy, series.series_value);
            for (auto const& point : series.points)
                out["points"].push_back(point_json(point, series.policy));
            take_missing(missing, series.policy, series.series_value, out);
            if (!fits.empty()) {
                out["line"] = fit_json(source_.panel, fits[i]);
                if (fits[i].fit) out["fit_label"] = fit_label(source_.panel, fits[i]);
            }
            all.push_back(std::move(out));
        }
        while (!missing.empty()) { // series without any point
            auto const policy = missing.front().policy;
            auto const value = missing.front().series_value;
            auto out = series_json(policy, value);
            take_missing(missing, policy, value, out);
            all.push_back(std::move(out));
        }
        return all;
    }

    /// Ids of the store's policies that a curve speaks of; that of the catalogue where the store
    /// has none.
    OrderedJson policies_of(std::string const& curve) const
    {
        std::set<std::string> ids;
        for (auto const& policy : source_.policies)
            if (speaks_of(curve, policy.id)) ids.insert(policy.id);
        if (auto const id = curve_subject(curve).policy; ids.empty() && !id.empty())
            ids.insert(std::string(id));
        return OrderedJson(ids);
    }

    OrderedJson nearest_json(std::string const& curve) const
    {
        auto const nearest = nearest_point(source_, series_, curve);
        if (!nearest) return nullptr;
        auto const& point = nearest->point;
        OrderedJson out{{"policy", source_.policies[nearest->policy].label},
                        {"x", point.x},
                        {"y", point.y},
                        {"low", number_or_null(point.low)},
                        {"high", number_or_null(point.high)},
                        {"bound", nearest->bound},
                        {"margin", nearest->margin()}};
        add_place(out, *point.cell, nearest->policy);
        return out;
    }

    OrderedJson all_curves() const
    {
        auto all = OrderedJson::array();
        std::set<std::string> told;
        for (auto const& line : panel_curves(source_)) {
            OrderedJson out{{"id", line.id}, {"label", line.label}};
            auto const* curve = bounds::find_curve(line.id);
            auto const failed =
                curve == nullptr ? std::vector<std::string>{} : failed_hypotheses(source_, line.id);
            out["kind"] = curve == nullptr ? "slope" : curve_subject(line.id).kind;
            out["policies"] = policies_of(line.id);
            out["holds"] = failed.empty();
            if (curve != nullptr) {
                out["statement"] = curve->statement;
                out["source"] = curve->source;
                out["failed"] = failed;
                auto const* hypotheses = bounds::hypotheses_of(line.id);
                out["hypotheses"] = hypotheses == nullptr ? std::vector<std::string>{}
                                                          : bounds::all_hypotheses(*hypotheses);
                out["nearest"] =
                    told.insert(line.id).second ? nearest_json(line.id) : OrderedJson();
                out["limit"] = hypotheses != nullptr && hypotheses->limit;
                // Points above it refute nothing, and the key must not say that they do.
                auto const above = nearest_point(source_, series_, line.id);
                if (out["limit"].get<bool>() && above && above->margin() < 0)
                    out["label"] = line.label + ", in the limit of large $n$, $M$";
            }
            if (line.series_value) out["series_value"] = *line.series_value;
            out["points"] = line_json(line.points);
            all.push_back(std::move(out));
        }
        return all;
    }

    PanelSource const& source_;
    MissingBaselines& missing_;
    std::optional<BaselineKind> baseline_;
    std::vector<Series> series_;
};

/// The title, with the cells that the panel shows where another panel has the same title.
std::string title_of(Panel const& panel, std::vector<Panel> const& panels)
{
    auto text = typeset(panel.title);
    auto const is_twin = [&](Panel const& other) {
        return other.title == panel.title && other.where != panel.where;
    };
    if (std::ranges::none_of(panels, is_twin)) return text;
    for (auto const& [name, value] : panel.where)
        text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", typeset(name), value);
    return text;
}

/// A panel before its numbers: what the experiment's file says of it.
OrderedJson described(std::vector<Panel> const& panels, std::size_t number)
{
    auto const& panel = panels[number - 1];
    OrderedJson out{{"number", number},
                    {"panel", panel.title},
                    {"title", title_of(panel, panels)},
                    {"sweep", panel.sweep},
                    {"kind", panel.measure == "argmax" ? "argmax" : panel.kind},
                    {"x", bottom_of(panel)},
                    {"measure", panel.measure}};
    if (panel.is_frontier()) out["along"] = panel.x;
    if (!panel.fit.empty()) out["fit"] = panel.fit;
    if (!panel.worst_over.empty()) out["worst_over"] = panel.worst_over;
    if (!panel.series.empty()) out["series_axis"] = panel.series;
    out["where"] = OrderedJson::object();
    for (auto const& [name, value] : panel.where) out["where"][name] = value;
    return out;
}

OrderedJson parts_json(CaptionParts const& parts)
{
    auto all = OrderedJson::array();
    for (auto const& part : parts) all.push_back({{"about", part.about}, {"text", part.text}});
    return all;
}

OrderedJson provenance(StoreContents const& contents, std::string const& name)
{
    auto const& header = contents.header;
    std::set<std::int64_t> seen;
    std::int64_t finished = 0, instances = 0;
    for (auto const& cell : contents.cells) {
        if (!seen.insert(cell.index).second) continue;
        finished += cell.instances > 0 ? 1 : 0;
        instances += cell.instances;
    }
    OrderedJson out{{"experiment", header.name},
                    {"store", name},
                    {"text", header.text},
                    {"folder", header.folder},
                    {"overrides", header.overrides},
                    {"identity", identity_hash(header.identity)},
                    {"model", header.model == Model::rounds ? "rounds" : "iterations"},
                    {"seed", header.seed},
                    {"policies", OrderedJson::array()},
                    {"baselines", header.baselines},
                    {"cells", seen.size()},
                    {"finished", finished},
                    {"instances", instances},
                    {"runs", OrderedJson::array()},
                    {"program", build_text()}};
    for (auto const& policy : header.policies)
        out["policies"].push_back({{"label", policy.label}, {"id", policy.id}});
    for (auto const& run : contents.runs)
        out["runs"].push_back({{"started", run.started},
                               {"seconds", run.seconds},
                               {"version", run.version},
                               {"commit", run.commit},
                               {"build_type", run.build_type},
                               {"backend", run.backend},
                               {"device", run.device}});
    auto sweep = "crx sweep " + shell_word(header.name + ".toml");
    for (auto const& set : header.overrides) sweep += " --set " + shell_word(set);
    auto const store = shell_word(name);
    out["commands"] = {sweep, "crx panels " + store, "crx export " + store};
    return out;
}

} // namespace

OrderedJson coordinates_json(CellResult const& cell)
{
    auto out = OrderedJson::object();
    for (auto const& [axis, value] : cell.coordinates) out[axis] = value;
    return out;
}

std::optional<std::int64_t> worst_instance(CellResult const& cell, std::size_t policy,
                                           BaselineKind baseline)
{
    if (cell.paths == nullptr) {
        auto const& largest = cell.tally.at(policy).sums.ratio[static_cast<int>(baseline)].largest;
        return largest.instance < 0 ? std::nullopt : std::optional(largest.instance);
    }
    auto const& paths = cell.paths->at(policy);
    std::optional<std::int64_t> worst;
    double most = -1;
    for (std::size_t path = 0; path < paths.size(); ++path) {
        auto const latency = fluid::latency(paths[path].tallies[cell.horizon]);
        if (!(latency > most)) continue; // NaN where nobody arrived
        most = latency;
        worst = static_cast<std::int64_t>(path);
    }
    return worst;
}

OrderedJson panel_document(StoreContents const& contents, StoredPanels const& experiment,
                           std::string const& name, std::optional<int> only, bool for_report)
{
    // Refuses what no panel can answer; a report has more than panels.
    if (!(experiment.panels.empty() && for_report))
        if (experiment.panels.empty() || only ||
            std::ranges::none_of(contents.cells, [](auto const& c) { return c.instances > 0; }))
            panel_sources(contents, experiment, name, only);
    OrderedJson out{{"format", 1},
                    {"store", name},
                    {"name", contents.header.name},
                    {"title", typeset(experiment.title)},
                    {"model", contents.header.model == Model::rounds ? "rounds" : "iterations"},
                    {"seed", contents.header.seed},
                    {"confidence", experiment.confidence},
                    {"time_unit", time_unit_of(contents)},
                    {"caption", ""},
                    {"caption_parts", OrderedJson::array()},
                    {"notes", OrderedJson::array()},
                    {"policies", OrderedJson::array()},
                    {"provenance", provenance(contents, name)},
                    {"panels", OrderedJson::array()},
                    {"waiting", OrderedJson::array()}};
    for (auto const& policy : contents.header.policies)
        out["policies"].push_back({{"label", policy.label},
                                   {"id", policy.id},
                                   {"variant", policy_variant(policy)},
                                   {"text", policy_text(policy)}});
    MissingBaselines missing(contents, name);
    std::vector<PanelSource> drawn;
    CaptionParts last;
    std::string first_error;
    Marks marks;
    std::size_t answered = 0;
    for (std::size_t i = 0; i < experiment.panels.size(); ++i) {
        if (only && i + 1 != static_cast<std::size_t>(*only)) continue;
        auto const& panel = experiment.panels[i];
        auto object = described(experiment.panels, i + 1);
        if (!only && only_waits(contents.cells, panel)) {
            out["waiting"].push_back({{"number", i + 1}, {"title", object["title"]}});
            last.push_back({"waiting", "Nothing to draw yet: " + typeset(panel.title) + "."});
            continue;
        }
        try {
            auto const source =
                panel_sources(contents, experiment, name, static_cast<int>(i + 1)).front();
            PanelJson numbers(contents, source, missing);
            object.update(numbers.json());
            auto const own = numbers.marks();
            marks.partial |= own.partial;
            marks.few |= own.few;
            object["caption"] = joined(caption_parts(contents, {source}, own));
            if (numbers.has_points()) {
                drawn.push_back(source);
            } else {
                object["empty"] = fmt::format(
                    "{}: no policy has a value of {}{} in its cells", source.place, panel.measure,
                    panel.baseline.empty() ? "" : " over " + panel.baseline);
                last.push_back({"empty", "Without any value: " +
                                             (panel.title.empty() ? std::string("a panel")
                                                                  : typeset(panel.title)) +
                                             "."});
            }
            ++answered;
        } catch (InputError const& error) {
            if (only) throw;
            if (first_error.empty()) first_error = error.what();
            object = described(experiment.panels, i + 1);
            object["error"] = error.what();
        }
        out["panels"].push_back(std::move(object));
    }
    if (answered == 0 && !first_error.empty()) throw InputError(first_error);
    if (answered == 0 && !last.empty() && !experiment.panels.empty() && out["panels"].empty())
        panel_sources(contents, experiment, name, only); // says of the first what it waits for
    auto parts = caption_parts(contents, drawn, marks);
    parts.insert(parts.end(), last.begin(), last.end());
    out["caption"] = joined(parts);
    out["caption_parts"] = parts_json(parts);
    return out;
}

} // namespace crx
