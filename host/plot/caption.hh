#pragma once

#include "host/plot/panel_source.hh"

namespace crx {

/// The small print below a figure, as enhanced text: n, M, s, instances a point, seed, what bars
/// and denominators are, and aloud what is missing (unfinished instances, cells not run yet, trace
/// rows left out). Facts in which panels differ are given panel by panel.
std::string figure_caption(StoreContents const& store, std::vector<PanelSource> const& panels);

} // namespace crx
