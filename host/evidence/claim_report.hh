#pragma once

#include "analysis/claims/claim.hh"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace crx {

/// The claims that arguments name, each once: one by its id, all of a paper by its short name; all
/// where there are no arguments. Throws ConfigError.
std::vector<claims::Claim const*> chosen_claims(std::vector<std::string> const& arguments);

/// A claim as `crx claims --json` prints it.
nlohmann::ordered_json claim_as_json(claims::Claim const& claim);

} // namespace crx
