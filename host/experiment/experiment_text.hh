#pragma once

#include "host/input/config_value.hh"

#include <filesystem>
#include <map>
#include <string>

namespace crx {

/// The text of an experiment file. Throws InputError where it cannot be read, is a database or is
/// longer than any experiment.
std::string read_experiment_file(std::filesystem::path const& file);

/// Puts KEY=VALUE in place in a document. KEY is dotted, elements of lists by number from 0
/// (policy.0.id); VALUE is a TOML value, or else the text itself. A key that the document does not
/// have is added, so that reading the document can say whether it is known.
///
/// Throws InputError that begins "--set KEY".
void apply_override(ConfigValue& document, std::string const& key_and_value);

/// The document of an experiment's text, called `name` in messages, with all overrides in place.
ConfigValue parse_overridden(std::string const& text, std::string const& name,
                             std::vector<std::string> const& overrides);

/// Canonical JSON of all in a document that results depend on: everything but title, [stop] and
/// [[panel]]. `traces` gives the hash of each trace file, by the name the document has for it.
std::string experiment_identity(ConfigValue const& document,
                                std::map<std::string, std::string> const& traces);

} // namespace crx
