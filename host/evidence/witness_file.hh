#pragma once

#include "analysis/worst/annealing.hh"
#include "host/evidence/search_options.hh"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace crx {

// Witness files (docs/witnesses.md).

/// A ratio in lowest terms: "30/11", or "2".
std::string fraction_text(worst::Ratio const& ratio);

/// A row per run of equal consecutive requests, with their count.
nlohmann::ordered_json requests_as_json(OwnedInstance const& instance);

/// A line per run of equal consecutive requests.
std::string requests_as_text(OwnedInstance const& instance);

/// Appends a checksum of all other keys, by which a changed file is recognised.
nlohmann::ordered_json with_checksum(nlohmann::ordered_json file);

/// What a search found as a witness file.
nlohmann::ordered_json found_as_json(SearchOptions const& options,
                                     worst::Objective const& objective, worst::Found const& found);

/// True where the witness has the search's ratio: policy with parameters and draws, denominator,
/// measure and bound.
bool is_of_search(nlohmann::ordered_json const& witness, SearchOptions const& options,
                  worst::Objective const& objective);

/// A file of JSON. Throws InputError "FILE: why".
nlohmann::ordered_json read_json_file(std::filesystem::path const& file);

/// The instance of a witness. Throws std::exception with the reason.
OwnedInstance found_instance(nlohmann::ordered_json const& witness);

/// The instance of a witness file. Throws InputError "FILE: why".
OwnedInstance read_found(std::filesystem::path const& file);

} // namespace crx
