#pragma once

#include "host/error.hh"
#include "host/results/caption.hh"
#include "host/results/panel_document.hh"
#include "host/results/panel_fits.hh"

#include <optional>
#include <string>

namespace crx_test {

/// A policy's tally of two instances whose latencies are `ratio` (in hundredths) over 100.
inline crx::PolicyTally tally_of(std::int64_t ratio)
{
    crx::PolicyTally tally;
    for (std::int64_t i = 0; i < 2; ++i) {
        crx::Outcome outcome{};
        outcome.finished = 1;
        outcome.total_latency = ratio + (i == 0 ? -1 : 1);
        outcome.first_token_latency = outcome.total_latency - 100;
        outcome.makespan = outcome.total_latency - 50;
        std::int64_t const baselines[crx::baseline_kinds] = {100, 0};
        tally.sums.add(outcome, baselines, i);
        tally.histogram[0][crx::histogram_bin(crx::fixed_ratio(outcome.total_latency, 100))] += 1;
    }
    return tally;
}

inline crx::CellResult cell(double alpha, double r, std::int64_t ratio)
{
    crx::CellResult result;
    result.sweep = "main";
    result.coordinates = {{"alpha", alpha}, {"r", r}};
    result.parameters = {{"alpha", alpha}, {"r", r},        {"requests", 10},
                         {"memory", 50},   {"upper", 20},   {"lower", alpha * 20},
                         {"prompt", 0},    {"t", r / alpha}};
    result.instances = 2;
    result.tally = {tally_of(ratio), tally_of(ratio + 50)};
    return result;
}

/// A store of four cells under two policies, and a panel over them.
struct Setting
{
    crx::StoreContents store;
    crx::StoredPanels experiment;

    Setting()
    {
        store.header.policies = {{"a-max", "a-max"}, {"a-min", "my_label"}};
        store.header.seed = 7;
        store.cells = {cell(0.1, 1, 200), cell(0.1, 2, 300), cell(0.5, 1, 150), cell(0.5, 2, 120)};
        crx::Panel panel;
        panel.sweep = "main";
        panel.title = "Panel";
        panel.x = "alpha";
        panel.worst_over = "r";
        experiment.panels = {panel};
    }
    crx::Panel& panel() { return experiment.panels[0]; }
    std::vector<crx::PanelSource> sources(std::optional<int> only = {}) const
    {
        return crx::panel_sources(store, experiment, "x.db", only);
    }
    std::vector<crx::Series> series() const { return crx::panel_series(sources().front()); }
    std::vector<crx::PanelCurve> curves() const { return crx::panel_curves(sources().front()); }
    nlohmann::ordered_json document(std::optional<int> only = {}) const
    {
        return crx::panel_document(store, experiment, "x.db", only);
    }
    std::string caption() const { return document()["caption"].get<std::string>(); }
    std::string failure(std::optional<int> only = {}) const
    {
        try {
            auto const panels = document(only)["panels"];
            for (auto const* why : {"empty", "error"})
                if (!panels.empty() && panels[0].contains(why))
                    return panels[0][why].get<std::string>();
            return "";
        } catch (crx::InputError const& error) {
            return error.what();
        }
    }
};

} // namespace crx_test
