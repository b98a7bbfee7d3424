#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "oracle/witness/witness.hh"

namespace oracle {

/// Throws Fault where the checksum, if there is one, is not that of the rest.
void check_checksum(nlohmann::json const& file);

/// What was found; throws Fault, or what JSON and rules throw, where it fails.
std::string check_witness(nlohmann::json const& witness, CheckLimits const& limits);
std::string check_certificate(nlohmann::json const& certificate, CheckLimits const& limits);

} // namespace oracle
