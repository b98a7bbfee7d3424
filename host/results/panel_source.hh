#pragma once

#include "host/results/cells.hh"
#include "host/results/measure.hh"
#include "host/results/stored_panels.hh"

#include <limits>

namespace crx {

inline constexpr double gap = std::numeric_limits<double>::quiet_NaN(); ///< a y that breaks a line

/// What a panel is made from.
struct PanelSource
{
    Panel panel;
    Cells cells;                       ///< those it shows
    std::vector<PolicyEntry> policies; ///< of the store, in the order of the tallies
    double confidence = 0.95;
    Measure measure = Measure::ratio_of_means;
    Measure x_measure = Measure::ratio_of_means; ///< of a frontier, along the bottom
    BaselineKind baseline = BaselineKind::h_sf;
    std::string place; ///< what messages begin with, e.g. `sweep.db: panel 2 ("Growth")`

    /// Whether the panel shows this policy: all, if it names none.
    bool shows(PolicyEntry const& policy) const;
    std::size_t shown_policies() const;
    /// Values of the series axis; one that is not a number where the panel has none.
    std::vector<double> series_values() const;
    /// The cells at a value of series_values().
    Cells cells_at(double series_value) const;
    /// Whether all requests of its cells arrive at 0.
    bool all_at_zero() const;
    /// "seconds" where the cells have the affine clock, else "rounds".
    std::string time_unit() const;
};

/// What the panels of a store's experiment are made from, or panel number `only` (from 1) alone;
/// without `only`, a panel whose cells have no instance yet is left out while another can be shown.
/// `name` stands for the store in messages. Throws InputError where there is nothing to show; the
/// message says what is missing.
std::vector<PanelSource> panel_sources(StoreContents const& store, StoredPanels const& experiment,
                                       std::string const& name,
                                       std::optional<int> only = std::nullopt);

/// Labels of the axes, the experiment's or their own, in the text of documents.
std::string x_label(PanelSource const& source);
std::string y_label(PanelSource const& source);

/// "load = 10": a value of the series axis, likewise.
std::string series_text(PanelSource const& source, double value);

/// Leaves of a store's panels what shows these policies: their labels, each text one label or
/// several with commas between; empty texts: all. Curves stay that speak of one of them, or of no
/// policy. A panel without any of them goes; `only`, the number of the one panel that is shown, is
/// 1 after it. Throws ConfigError for an unknown label, InputError where no panel is left.
void keep_policies(StoredPanels& experiment, std::vector<PolicyEntry> const& policies,
                   std::vector<std::string> const& texts, std::optional<int>& only);

} // namespace crx
