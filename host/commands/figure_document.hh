#pragma once

#include "analysis/spectrum/figures.hh"

#include <nlohmann/json.hpp>

namespace crx {

/// A published figure in the shape of `crx panels --json` (docs/protocol.md); curves of one `group`
/// belong together.
nlohmann::ordered_json figure_document(spectrum::Figure const& figure);

} // namespace crx
