#pragma once

#include "host/results/stored_panels.hh"

#include <nlohmann/json.hpp>

namespace crx {

/// Adds to a document of panels what a report says beside them (docs/report.md): `ranks`, or
/// `horizons` in the iteration model, `worst`, `claims` and `theory`.
void add_report_parts(nlohmann::ordered_json& document, StoreContents const& contents,
                      StoredPanels const& experiment, std::string const& name);

} // namespace crx
