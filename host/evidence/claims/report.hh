#pragma once

#include "host/evidence/claims/claim.hh"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace crx::claims {

/// The claims that arguments name, each once: one by its id, all of a paper by its short name, and
/// those of a file or folder; all of the program's where there are no arguments. Throws
/// ConfigError and InputError.
std::vector<Claim> chosen_claims(std::vector<std::string> const& arguments);

/// A claim as `crx claims --json` prints it.
nlohmann::ordered_json claim_as_json(Claim const& claim);

/// Adds what a run of its trials found: `found`, beside the stated verdict, and what each saw.
void add_findings(nlohmann::ordered_json& row, Claim const& claim, Judgement const& judgement);

/// What the trials saw, in a sentence each.
std::string findings_text(Claim const& claim, Judgement const& judgement);

/// Claims as Markdown, paper by paper: how many have each verdict, then what each says and the
/// beginning of what shows it. docs/claims.md ends with that of the program's claims.
std::string claims_list(std::vector<Claim> const& list);

/// Text broken at spaces so that no line is longer than `width`, each line after the first behind
/// `indent`; the first one begins in column `column`.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::size_t column = 0);

} // namespace crx::claims
