#pragma once

#include "host/experiment/reading/config_value.hh"

namespace crx {

/// Puts KEY=VALUE in place in a document. KEY is dotted, elements of lists by number from 0
/// (policy.0.id); VALUE is a TOML value, or else the text itself. A key that the document does not
/// have is added, so that reading the document can say whether it is known.
///
/// Throws InputError that begins "--set KEY".
void apply_override(ConfigValue& document, std::string const& key_and_value);

/// The document of an experiment's text, called `name` in messages, with all overrides in place.
ConfigValue parse_overridden(std::string const& text, std::string const& name,
                             std::vector<std::string> const& overrides);

} // namespace crx
