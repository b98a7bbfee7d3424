#pragma once

#include "host/search/search_options.hh"

#include <nlohmann/json.hpp>

namespace crx {

// Parts of witness files (docs/witnesses.md).

/// Requests one after the other that are alike stand once, with their count.
nlohmann::ordered_json requests_as_json(OwnedInstance const& instance);

/// A policy's id and parameters. Those of the command line are the numerator's.
nlohmann::ordered_json policy_as_json(SearchOptions const& options, std::string const& id,
                                      bool is_numerator);

/// The best schedule as the denominator over `opt`.
nlohmann::ordered_json schedule_as_json(worst::Settled const& settled, Tokens memory);

/// The file with a checksum of all the rest as its last key: a file of which a token was changed
/// is told from what was written.
nlohmann::ordered_json with_checksum(nlohmann::ordered_json file);

} // namespace crx
