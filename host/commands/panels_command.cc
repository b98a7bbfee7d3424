#include "host/commands/command_line.hh"
#include "host/commands/commands.hh"
#include "host/commands/report_parts.hh"
#include "host/error.hh"
#include "host/file_names.hh"
#include "host/input/config_value.hh"
#include "host/json_number.hh"
#include "host/output_file.hh"
#include "host/results/panel_document.hh"
#include "host/results/panel_fits.hh"
#include "host/results/panel_source.hh"
#include "host/results/path_points.hh"
#include "host/results/stored_panels.hh"
#include "host/results/what_is_missing.hh"

#include <charconv>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace crx {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Options that choose panels, or make one by the names of its fields (docs/plots.md).
struct PanelOptions
{
    std::string kind, x, along, y, series, sweep, baseline, worst_over;
    std::vector<std::string> where, policies;
    std::filesystem::path panels; ///< a file of them
    bool log_x = false, log_y = false;

    /// Whether any of them is given.
    bool any() const;
    /// The [[panel]] table that they stand for. Throws InputError without --x, and for a --where
    /// that is not AXIS=NUMBER.
    ConfigValue table() const;
};

ConfigValue value_from(std::string const& option, ConfigValue::Kind kind)
{
    ConfigValue value;
    value.kind = kind;
    value.where = "command line, " + option;
    return value;
}

void put_text(ConfigValue& table, std::string const& key, std::string const& option,
              std::string const& text)
{
    if (text.empty()) return;
    auto value = value_from(option, ConfigValue::Kind::text);
    value.text = text;
    table.table.push_back({key, value});
}

void put_flag(ConfigValue& table, std::string const& key, std::string const& option, bool set)
{
    if (!set) return;
    auto value = value_from(option, ConfigValue::Kind::boolean);
    value.boolean = true;
    table.table.push_back({key, value});
}

bool PanelOptions::any() const
{
    return !x.empty() || !y.empty() || !kind.empty() || !along.empty() || !series.empty() ||
           !sweep.empty() || !baseline.empty() || !worst_over.empty() || !where.empty() || log_x ||
           log_y;
}

ConfigValue PanelOptions::table() const
{
    bool const has_no_x = kind == "histogram" || kind == "exceedance";
    if (x.empty() && !has_no_x)
        throw InputError("a panel of the command line needs --x, the axis or parameter along the "
                         "bottom");
    auto table = value_from("panel", ConfigValue::Kind::table);
    put_text(table, "sweep", "--sweep", sweep);
    put_text(table, "kind", "--kind", kind);
    put_text(table, "x", "--x", x);
    put_text(table, "along", "--along", along);
    put_text(table, "measure", "--y", y);
    put_text(table, "series", "--series", series);
    put_text(table, "baseline", "--baseline", baseline);
    put_text(table, "worst_over", "--worst-over", worst_over);
    put_flag(table, "log_x", "--log-x", log_x);
    put_flag(table, "log_y", "--log-y", log_y);
    if (where.empty()) return table;
    auto fixed = value_from("--where", ConfigValue::Kind::table);
    for (auto const& text : where) {
        auto const equals = text.find('=');
        auto value = value_from("--where", ConfigValue::Kind::real);
        auto const* const last = text.data() + text.size();
        auto const* const first = equals == std::string::npos ? last : text.data() + equals + 1;
        auto const [end, error] = std::from_chars(first, last, value.real);
        if (first == last || error != std::errc{} || end != last)
            throw ConfigError("command line", "--where", text, "AXIS=NUMBER");
        fixed.table.push_back({text.substr(0, equals), value});
    }
    table.table.push_back({"where", fixed});
    return table;
}

/// The panels that they choose of a store's experiment, of a file or of their own; `only` is the
/// number of the one that is shown, and stays so. Throws InputError.
StoredPanels chosen_panels(StoreContents const& contents, std::string const& name,
                           PanelOptions const& options, std::optional<int>& only)
{
    if (options.any() && !options.panels.empty())
        throw InputError("--panels and --x: only one of them says what to draw");
    auto experiment = options.any() ? read_stored_panels(contents, name, options.table())
                                    : read_stored_panels(contents, name, options.panels);
    keep_policies(experiment, contents.header.policies, options.policies, only);
    return experiment;
}

/// Declares them; `options` must outlive the command.
void add_panel_options(Command const& command, PanelOptions& options)
{
    command
        .add_option("--panels", options.panels,
                    "Panels of this TOML file in place of the experiment's")
        .type_name("FILE");
    command
        .add_option("--policies", options.policies,
                    "Only these policies, by their labels, and the curves that speak of them")
        .type_name("LABEL,..")
        .allow_extra_args(false);
    command
        .add_option("--x", options.x,
                    "One panel that the experiment does not have: axis or parameter along the "
                    "bottom; with it:")
        .type_name("NAME");
    command
        .add_option("--kind", options.kind,
                    "curve (default), histogram or exceedance (of the instances of a cell, without "
                    "--x), frontier (--x is a measure too) or heatmap")
        .type_name("KIND");
    command.add_option("--along", options.along, "of a frontier, whose values a line joins")
        .type_name("AXIS");
    command.add_option("--y", options.y, "its measure (docs/plots.md); default: the first")
        .type_name("MEASURE");
    command.add_option("--series", options.series, "a line for each value of this axis")
        .type_name("AXIS");
    command.add_option("--worst-over", options.worst_over, "the largest value over this axis")
        .type_name("AXIS");
    command.add_option("--where", options.where, "only cells at this value, several times")
        .type_name("AXIS=NUMBER")
        .allow_extra_args(false);
    command.add_option("--sweep", options.sweep, "of this sweep; needed where there are several")
        .type_name("NAME");
    command.add_option("--baseline", options.baseline, "over this baseline; default: the first")
        .type_name("ID");
    command.add_flag("--log-x", options.log_x, "with a logarithmic horizontal axis");
    command.add_flag("--log-y", options.log_y, "with a logarithmic vertical axis");
}

struct PanelsOptions
{
    std::filesystem::path store;
    std::optional<int> panel;
    PanelOptions chosen;
    bool json = false, report = false;
};

std::optional<double> number_at(OrderedJson const& object, char const* key)
{
    if (!object.contains(key) || !object[key].is_number()) return std::nullopt;
    return object[key].get<double>();
}

std::string series_name(OrderedJson const& panel, OrderedJson const& series)
{
    auto name = series["policy"].get<std::string>();
    if (auto const value = number_at(series, "series_value"))
        name += fmt::format(", {} = {:.6g}", panel["series_axis"].get<std::string>(), *value);
    return name;
}

PointCounts counts_at(OrderedJson const& object)
{
    return {object["instances"].get<std::int64_t>(), object["unfinished"].get<std::int64_t>(),
            object.value("without_denominator", std::int64_t{0}),
            object.value("unfinished_in_other_cells", std::int64_t{0}),
            object.value("without_arrivals", std::int64_t{0})};
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
                   counts_at(point).text());
    }
    if (!series.contains("without_value")) return;
    for (auto const& missing : series["without_value"]) {
        auto const cells = missing["cells"].get<std::int64_t>(),
                   of = missing["of_cells"].get<std::int64_t>();
        auto const counts = counts_at(missing);
        auto const reason = missing.value("reason", std::string());
        auto const x = number_at(missing, "x");
        fmt::print("  {:>12}  no value{}: {}{}{}\n", x ? fmt::format("{:.6g}", *x) : "",
                   of > 1 ? fmt::format(" in {} of {} cells", cells, of) : "", counts.text(),
                   counts.behind > 0 && counts.undivided > 0 ? "; this measure needs it of all"
                                                             : "",
                   reason.empty() ? "" : ": " + reason);
    }
}

void print_line(OrderedJson const& line, std::string const& fit)
{
    auto const power = fit == "log-log";
    if (line.is_null()) return fmt::print("  no line: fewer than two points on its scale\n");
    auto const shown = [&](char const* key) {
        auto const value = number_at(line, key);
        return value ? fmt::format("{:.3g}", *value) : std::string("none");
    };
    fmt::print("  {} (scatter {}, sampling {}), {} {}, R^2 {:.5f}, {} points from {:.6g} to "
               "{:.6g}\n",
               written_slope(fit, line["slope"].get<double>(), number_at(line, "half_width")),
               shown("half_width_scatter"), shown("half_width_sampling"),
               power ? "factor" : "intercept", shown(power ? "factor" : "intercept"),
               line["r_squared"].get<double>(), line["points"].get<int>(),
               line["from"].get<double>(), line["to"].get<double>());
    if (line.contains("first_half"))
        fmt::print("  first half {}, second half {}{}\n", shown("first_half"), shown("second_half"),
                   line["changing"].get<bool>() ? ": still changing" : "");
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
            fmt::print("{}\n", series_name(panel, series));
            print_points(series, panel["measure"] != "argmax");
            if (series.contains("line"))
                print_line(series["line"], panel["fit"].get<std::string>());
        }
    }
}

void print_panels(PanelsOptions options)
{
    auto const name = options.store.string();
    warn_of_names(options.store);
    auto stored = read_store(options.store);
    warn_of_missing(stored, name);
    auto const contents = with_horizons(std::move(stored));
    auto const experiment = chosen_panels(contents, name, options.chosen, options.panel);
    auto document = panel_document(contents, experiment, name, options.panel, options.report);
    if (auto const missing = what_is_missing(contents, name); !missing.empty())
        document["notes"].push_back(missing);
    if (options.report) add_report_parts(document, contents, experiment, name);
    if (options.json) return write_stdout(document.dump(1) + "\n");
    for (auto const& panel : document["panels"])
        if (panel.contains("error") && !panel.contains("series"))
            throw InputError(panel["error"].get<std::string>());
    print_values(document["panels"]);
    auto const held = memory_held(contents);
    if (held.differs)
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
    command->add_option("--panel", options->panel, "Only this panel, counted from 1")
        ->type_name("N");
    command->add_flag("--json", options->json,
                      "One JSON object: all that a picture needs (docs/plots.md)");
    command->add_flag("--report", options->report,
                      "With --json: ranks, worst instances and claims too, for a report");
    add_panel_options(command, options->chosen);
    command->callback([options] { print_panels(*options); });
}

} // namespace crx
