#include "host/results/stored_panels.hh"

#include "host/experiment/axis.hh"
#include "host/experiment/experiment_text.hh"
#include "host/experiment/panel_list.hh"

#include <set>

namespace crx {

namespace {

/// Names of the parameters of a sweep's cells; none where it has no cell yet.
std::optional<std::vector<std::string>> parameters_of(StoreContents const& contents,
                                                      std::string const& sweep)
{
    std::set<std::string> names;
    bool any = false;
    for (auto const& cell : contents.cells) {
        if (cell.sweep != sweep) continue;
        any = true;
        for (auto const& [name, value] : cell.parameters) names.insert(name);
    }
    if (!any) return {};
    return std::vector<std::string>(names.begin(), names.end());
}

/// The horizons and types that with_horizons() made axes of, also of cells that have not run yet.
void add_split_axes(StoreContents const& contents, PanelSweep& sweep)
{
    std::set<double> horizons, types;
    for (auto const& cell : contents.cells) {
        if (cell.sweep != sweep.name || cell.facts == nullptr) continue;
        for (auto const horizon : cell.facts->horizons)
            horizons.insert(static_cast<double>(horizon) * 1e-9);
        for (std::size_t j = 0; cell.facts->by_type && j < cell.facts->types.size(); ++j)
            types.insert(static_cast<double>(j));
    }
    for (auto const& [name, values] : {std::pair("horizon", horizons), {"type", types}})
        if (!values.empty())
            sweep.axes.emplace_back(name, std::vector<double>(values.begin(), values.end()));
}

PanelNames names_of(StoreContents const& contents, ConfigReader& top)
{
    PanelNames names;
    names.model = contents.header.model;
    auto const& sweeps = top.need("sweep", "at least one [[sweep]]").list;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        ConfigReader reader(sweeps[i], "sweep." + std::to_string(i));
        PanelSweep sweep{reader.text("name"), {}, {}};
        if (auto const* axes = reader.find("axes"))
            for (auto const& [axis, value] : axes->table)
                sweep.axes.emplace_back(axis, read_axis(value, reader.path("axes." + axis)));
        add_split_axes(contents, sweep);
        sweep.parameters = parameters_of(contents, sweep.name);
        names.sweeps.push_back(std::move(sweep));
    }
    for (auto const& policy : contents.header.policies) names.labels.push_back(policy.label);
    names.baselines = contents.header.baselines;
    return names;
}

} // namespace

namespace {

/// What a document says of title and confidence, where it says it.
void read_words(ConfigReader& top, StoredPanels& stored)
{
    if (auto const* table = top.find("experiment"))
        stored.title = ConfigReader(*table, "experiment").text("title", stored.title);
    if (auto const* table = top.find("stop"))
        stored.confidence = ConfigReader(*table, "stop")
                                .number("confidence", {0, 1, false, true, true}, stored.confidence);
}

} // namespace

namespace {

/// The experiment of a store as it was run.
ConfigValue document_of(StoreHeader const& header, std::string const& name)
{
    return parse_overridden(header.text, name + ":experiment", header.overrides);
}

} // namespace

double stored_confidence(StoreHeader const& header, std::string const& name)
{
    auto const document = document_of(header, name);
    ConfigReader top(document, "");
    StoredPanels stored;
    read_words(top, stored);
    return stored.confidence;
}

std::optional<CapacityPlan> stored_capacity(StoreHeader const& header, std::string const& name)
{
    auto const document = document_of(header, name);
    ConfigReader top(document, "");
    return top.find("capacity") == nullptr ? std::nullopt : read_measures(top).capacity;
}

StoredPanels read_stored_panels(StoreContents const& contents, std::string const& name,
                                ConfigValue panel)
{
    auto const document = document_of(contents.header, name);
    ConfigReader top(document, "");
    StoredPanels stored;
    read_words(top, stored);
    auto const names = names_of(contents, top);
    if (panel.find("sweep") == nullptr && names.sweeps.size() == 1) {
        ConfigValue sweep;
        sweep.kind = ConfigValue::Kind::text;
        sweep.text = names.sweeps.front().name;
        panel.table.push_back({"sweep", sweep});
    }
    ConfigValue list, panels;
    list.kind = ConfigValue::Kind::list;
    list.list.push_back(std::move(panel));
    panels.table.push_back({"panel", std::move(list)});
    ConfigReader reader(panels, "");
    stored.panels = read_panels(reader, names);
    return stored;
}

StoredPanels read_stored_panels(StoreContents const& contents, std::string const& name,
                                std::filesystem::path const& panels_file)
{
    auto const document = document_of(contents.header, name);
    ConfigReader top(document, "");
    StoredPanels stored;
    read_words(top, stored);
    if (panels_file.empty()) {
        stored.panels = read_panels(top, names_of(contents, top));
        return stored;
    }
    auto const other = parse_toml(read_experiment_file(panels_file), panels_file.string());
    ConfigReader reader(other, "");
    read_words(reader, stored);
    reader.tables("panel", "at least one [[panel]]");
    stored.panels = read_panels(reader, names_of(contents, top));
    return stored;
}

} // namespace crx
