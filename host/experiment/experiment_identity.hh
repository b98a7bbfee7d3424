#pragma once

#include "host/experiment/reading/config_value.hh"

#include <map>
#include <string>

namespace crx {

/// Canonical JSON of all in a document that results depend on: everything but title, [stop] and
/// [[panel]]. `traces` gives the hash of each trace file, by the name the document has for it.
std::string experiment_identity(ConfigValue const& document,
                                std::map<std::string, std::string> const& traces);

} // namespace crx
