#include "host/commands/panel_options.hh"

#include "host/commands/command_line.hh"
#include "host/error.hh"
#include "host/results/panel_source.hh"

#include <charconv>

namespace crx {

namespace {

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

} // namespace

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

} // namespace crx
