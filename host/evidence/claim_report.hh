#pragma once

#include "host/evidence/claims/claim.hh"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace crx {

/// The claims that arguments name, each once: one by its id, all of a paper by its short name, and
/// those of a file or folder; all of the program's where there are no arguments. Throws
/// ConfigError and InputError.
std::vector<claims::Claim> chosen_claims(std::vector<std::string> const& arguments);

/// A claim as `crx claims --json` prints it.
nlohmann::ordered_json claim_as_json(claims::Claim const& claim);

/// Adds what a run of its trials found: `found`, beside the stated verdict, and what each saw.
void add_findings(nlohmann::ordered_json& row, claims::Claim const& claim,
                  claims::Judgement const& judgement);

/// What the trials saw, in a sentence each.
std::string findings_text(claims::Claim const& claim, claims::Judgement const& judgement);

} // namespace crx
