#pragma once

#include "analysis/plot/figure.hh"
#include "host/plot/panel_source.hh"
#include "host/results/stored_panels.hh"

namespace crx {

/// What the panels of a store's experiment are drawn from, or panel number `only` (from 1) alone;
/// without `only`, a panel whose cells have no instance yet is left out while another can be drawn.
/// Throws as store_figure does.
std::vector<PanelSource> panel_sources(StoreContents const& store, StoredPanels const& experiment,
                                       std::string const& name,
                                       std::optional<int> only = std::nullopt);

/// The figure of a store: its experiment's panels over its cells, or panel number `only` (from 1)
/// alone.
///
/// `name` stands for the store in messages. Throws InputError where there is nothing to draw; the
/// message says what is missing.
plot::Figure store_figure(StoreContents const& store, StoredPanels const& experiment,
                          std::string const& name, std::optional<int> only = std::nullopt);

} // namespace crx
