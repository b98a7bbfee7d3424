#include "host/store/stored_panels.hh"

#include "host/experiment/axis.hh"
#include "host/experiment/overrides.hh"
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

PanelNames names_of(StoreContents const& contents, ConfigReader& top)
{
    PanelNames names;
    auto const& sweeps = top.need("sweep", "at least one [[sweep]]").list;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        ConfigReader reader(sweeps[i], "sweep." + std::to_string(i));
        PanelSweep sweep{reader.text("name"), {}, {}};
        if (auto const* axes = reader.find("axes"))
            for (auto const& [axis, value] : axes->table)
                sweep.axes.emplace_back(axis, read_axis(value, reader.path("axes." + axis)));
        sweep.parameters = parameters_of(contents, sweep.name);
        names.sweeps.push_back(std::move(sweep));
    }
    for (auto const& policy : contents.header.policies) names.labels.push_back(policy.label);
    names.baselines = contents.header.baselines;
    return names;
}

} // namespace

StoredPanels read_stored_panels(StoreContents const& contents, std::string const& name)
{
    auto const& header = contents.header;
    auto document = parse_toml(header.text, name + ":experiment");
    for (auto const& override : header.overrides) apply_override(document, override);
    ConfigReader top(document, "");
    ConfigReader head(top.need("experiment", "a table with name and seed"), "experiment");
    ConfigReader stop(top.need("stop", "a table with instances"), "stop");
    StoredPanels stored;
    stored.title = head.text("title", "");
    stored.confidence = stop.number("confidence", {0, 1, false, true, true}, stored.confidence);
    stored.panels = read_panels(top, names_of(contents, top));
    return stored;
}

} // namespace crx
