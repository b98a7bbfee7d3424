#pragma once

#include "analysis/bounds/curve_catalogue.hh"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace crx {

/// Values of curves by their ids, in the order asked for. Throws ConfigError or InputError for an
/// unknown curve, a point outside its domain, a parameter that is missing, that no curve reads, or
/// that stands beside one of which a curve reads the other.
std::vector<std::pair<std::string, double>> curve_values(std::vector<std::string> const& ids,
                                                         bounds::CurveParameters const& at);

/// All curves, as `crx bounds --json` lists them.
nlohmann::ordered_json curves_as_json();

/// Refuses a parameter of `crx bounds`. Throws ConfigError.
[[noreturn]] void refuse_curve_parameter(bounds::CurveParameters const& given,
                                         std::string const& name, std::string const& accepted);

} // namespace crx
