#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/error.hh"
#include "host/json_number.hh"
#include "host/plot/panel_fits.hh"
#include "host/plot/point_counts.hh"
#include "host/plot/store_figure.hh"
#include "host/results/missing_baseline.hh"
#include "host/results/path_points.hh"
#include "host/results/what_is_missing.hh"
#include "host/store/file/database_file.hh"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

struct PanelsOptions
{
    std::filesystem::path store;
    std::optional<int> panel;
    std::filesystem::path panels;
    bool json = false;
};

std::optional<double> number_at(OrderedJson const& object, char const* key)
{
    if (!object.contains(key) || !object[key].is_number()) return std::nullopt;
    return object[key].get<double>();
}

OrderedJson describe(PanelFit const& fit, bool linear)
{
    if (!fit.fit) return {};
    OrderedJson out{{"from", fit.from}, {"to", fit.to}, {"points", fit.fit->points}};
    out["slope"] = fit.fit->slope;
    out["half_width"] = number_or_null(fit.fit->half_width());
    out["half_width_scatter"] = number_or_null(fit.fit->scatter);
    out["half_width_sampling"] = number_or_null(fit.fit->sampling);
    if (linear)
        out["intercept"] = fit.fit->intercept;
    else
        out["factor"] = std::exp(fit.fit->intercept);
    out["r_squared"] = fit.fit->r_squared;
    return out;
}

OrderedJson named_series(PanelSource const& source, std::size_t policy, std::optional<double> value)
{
    OrderedJson series{{"policy", source.policies[policy].label}};
    if (value) series[source.panel.series] = *value;
    series["points"] = OrderedJson::array();
    return series;
}

void add_counts(OrderedJson& object, PointCounts const& counts)
{
    object["instances"] = counts.behind;
    object["unfinished"] = counts.unfinished;
    if (counts.undivided > 0) object["without_denominator"] = counts.undivided;
    if (counts.unfinished_elsewhere > 0)
        object["unfinished_in_other_cells"] = counts.unfinished_elsewhere;
}

/// Why a cell lacks the panel's denominator; empty where the store does not say.
using Reason = std::function<std::string(CellResult const&)>;

/// Moves those of one series from the list into its object.
void take_missing(std::vector<MissingValue>& missing, std::size_t policy,
                  std::optional<double> value, Reason const& reason, OrderedJson& series)
{
    std::erase_if(missing, [&](MissingValue const& m) {
        if (m.policy != policy || m.series_value != value) return false;
        OrderedJson object{{"x", m.x}, {"cells", m.cells}, {"of_cells", m.of_cells}};
        add_counts(object, m.counts);
        if (m.counts.undivided > 0)
            if (auto const why = reason(*m.first); !why.empty()) object["reason"] = why;
        series["without_value"].push_back(object);
        return true;
    });
}

OrderedJson describe(PanelSource const& source, Reason const& reason)
{
    auto const& panel = source.panel;
    OrderedJson out{
        {"panel", panel.title}, {"sweep", panel.sweep}, {"x", panel.x}, {"measure", panel.measure}};
    if (is_ratio(source.measure)) out["baseline"] = panel.baseline;
    if (!panel.fit.empty()) out["fit"] = panel.fit;
    out["confidence"] = source.confidence;
    auto const fits = panel_fits(source);
    std::vector<SeriesOrigin> origins;
    auto const all = panel_series(source, &origins);
    auto missing = missing_values(source);
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto series = named_series(source, origins[i].policy, origins[i].series_value);
        for (std::size_t k = 0; k < all[i].points.size(); ++k) {
            auto const& point = all[i].points[k];
            series["points"].push_back({{"x", point.x},
                                        {"y", point.y},
                                        {"low", number_or_null(point.low)},
                                        {"high", number_or_null(point.high)}});
            add_counts(series["points"].back(), origins[i].counts[k]);
        }
        take_missing(missing, origins[i].policy, origins[i].series_value, reason, series);
        if (!fits.empty()) series["line"] = describe(fits[i], panel.fit == "linear");
        out["series"].push_back(series);
    }
    while (!missing.empty()) { // series without any point
        auto const policy = missing.front().policy;
        auto const value = missing.front().series_value;
        auto series = named_series(source, policy, value);
        take_missing(missing, policy, value, reason, series);
        out["series"].push_back(series);
    }
    return out;
}

std::string series_name(OrderedJson const& series)
{
    auto name = series["policy"].get<std::string>();
    for (auto const& [key, value] : series.items())
        if (key != "policy" && value.is_number())
            name += fmt::format(", {} = {:.6g}", key, value.get<double>());
    return name;
}

PointCounts counts_at(OrderedJson const& object)
{
    return {object["instances"].get<std::int64_t>(), object["unfinished"].get<std::int64_t>(),
            object.value("without_denominator", std::int64_t{0}),
            object.value("unfinished_in_other_cells", std::int64_t{0})};
}

/// Whether the value is in the middle of its interval, as one said by plus and minus is.
bool evenly_between(double value, double low, double high)
{
    return std::abs((high - value) - (value - low)) <= 1e-6 * (high - low);
}

/// `with_error`: half the interval beside the value, if it is in the middle; a place of a maximum
/// has no error of its own.
void print_points(OrderedJson const& series, bool with_error)
{
    for (auto const& point : series["points"]) {
        auto const y = point["y"].get<double>();
        auto const low = number_at(point, "low"), high = number_at(point, "high");
        bool const even = low && high && evenly_between(y, *low, *high);
        fmt::print("  {:>12.6g}  {}  {}\n", point["x"].get<double>(),
                   low && high ? written_with_interval(y, *low, *high, with_error && even)
                               : written_with_error(y, {}),
                   counts_text(counts_at(point)));
    }
    if (!series.contains("without_value")) return;
    for (auto const& missing : series["without_value"]) {
        auto const cells = missing["cells"].get<std::int64_t>(),
                   of = missing["of_cells"].get<std::int64_t>();
        auto const counts = counts_at(missing);
        auto const reason = missing.value("reason", std::string());
        fmt::print("  {:>12.6g}  no value{}: {}{}{}\n", missing["x"].get<double>(),
                   of > 1 ? fmt::format(" in {} of {} cells", cells, of) : "", counts_text(counts),
                   counts.behind > 0 && counts.undivided > 0 ? "; this measure needs it of all"
                                                             : "",
                   reason.empty() ? "" : ": " + reason);
    }
}

void print_line(OrderedJson const& line, bool linear)
{
    if (line.is_null()) return fmt::print("  no line: fewer than two points on its scale\n");
    auto const shown = [&](char const* key) {
        auto const value = number_at(line, key);
        return value ? fmt::format("{:.3g}", *value) : std::string("none");
    };
    fmt::print("  {} {} (scatter {}, sampling {}), {} {}, R^2 {:.5f}, {} points from {:.6g} to "
               "{:.6g}\n",
               linear ? "slope" : "exponent",
               written_with_error(line["slope"].get<double>(), number_at(line, "half_width")),
               shown("half_width_scatter"), shown("half_width_sampling"),
               linear ? "intercept" : "factor", shown(linear ? "intercept" : "factor"),
               line["r_squared"].get<double>(), line["points"].get<int>(),
               line["from"].get<double>(), line["to"].get<double>());
}

void print_values(OrderedJson const& panels)
{
    for (auto const& panel : panels) {
        auto const title = panel["panel"].get<std::string>();
        fmt::print("{}sweep {}{}: {}{} against {}\n", title.empty() ? "" : title + " (",
                   panel["sweep"].get<std::string>(), title.empty() ? "" : ")",
                   panel["measure"].get<std::string>(),
                   panel.contains("baseline") ? " over " + panel["baseline"].get<std::string>()
                                              : "",
                   panel["x"].get<std::string>());
        for (auto const& series : panel["series"]) {
            fmt::print("{}\n", series_name(series));
            print_points(series, panel["measure"] != "argmax");
            if (series.contains("line")) print_line(series["line"], panel["fit"] == "linear");
        }
    }
}

void print_panels(PanelsOptions const& options)
{
    warn_of_names(options.store);
    auto stored = read_store(options.store);
    warn_of_missing(stored, options.store.string());
    auto const contents = with_horizons(std::move(stored));
    auto const experiment = read_stored_panels(contents, options.store.string(), options.panels);
    OrderedJson panels = OrderedJson::array();
    MissingBaselines missing(contents, options.store.string());
    for (auto const& source :
         panel_sources(contents, experiment, options.store.string(), options.panel))
        panels.push_back(describe(
            source, [&](CellResult const& cell) { return missing.why(cell, source.baseline); }));
    if (options.json)
        fmt::print("{}\n", panels.dump(1));
    else
        print_values(panels);
    auto const held = memory_held(contents);
    if (held.differs && !options.json)
        fmt::print(
            "most memory held in any cell: {}\n  not equal, so the policies are not "
            "compared at equal memory; memory = \"peak-of:LABEL\" gives one what another holds\n",
            held.text);
}

} // namespace

void add_panels_command(CLI::App& app)
{
    Command const command(app, "panels",
                          "Numbers behind a store's panels: points with intervals, slopes of fits");
    command->footer("What they mean: docs/plots.md.\n"
                    "Example: crx panels jaillet_figure_3.db --panel 1");
    auto const options = std::make_shared<PanelsOptions>();
    command->add_option("store", options->store, "Store that crx sweep made")
        ->required()
        ->type_name("DB");
    command
        ->add_option("--panels", options->panels,
                     "Panels of this TOML file in place of the experiment's")
        ->type_name("FILE");
    command->add_option("--panel", options->panel, "Only this panel, counted from 1")
        ->type_name("N");
    command->add_flag("--json", options->json, "One JSON list, an object a panel");
    command->callback([options] { print_panels(*options); });
}

} // namespace crx
