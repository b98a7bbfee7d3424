#pragma once

#include "host/plot/panel_source.hh"

namespace crx {

/// The hypotheses of a curve that fail in some cell of a panel, in words; empty where it holds. A
/// curve that fails is drawn as a guide, and the caption says so.
std::vector<std::string> failed_hypotheses(PanelSource const& source, std::string const& curve);

/// What the small print says of the panels' guides, as enhanced text; empty where all curves hold.
std::string guides_text(std::vector<PanelSource> const& panels);

} // namespace crx
