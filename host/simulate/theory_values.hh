#pragma once

#include "analysis/bounds/curve_catalogue.hh"
#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/growth.hh"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crx {

/// Values of curves by their ids, in the order asked for. Throws ConfigError or InputError for an
/// unknown curve, a point outside its domain, a parameter that is missing, that no curve reads, or
/// that stands beside one of which a curve reads the other.
std::vector<std::pair<std::string, double>> curve_values(std::vector<std::string> const& ids,
                                                         bounds::CurveParameters const& at);

/// A parameter's values: one, or a list.
using CurveLists = std::map<std::string, std::vector<double>>;

/// Values at each place of the lists, which have one length; a parameter of one value has it
/// everywhere. An object with a list a curve, null outside the domain, and the lists themselves as
/// `at`; where no parameter is a list, a number a curve. Throws as curve_values, but for points
/// outside the domain of a list.
nlohmann::ordered_json curve_lists(std::vector<std::string> const& ids, CurveLists const& lists);

/// All curves, as `crx bounds --json` lists them.
nlohmann::ordered_json curves_as_json();

/// Refuses a parameter of `crx bounds`. Throws ConfigError.
[[noreturn]] void refuse_curve_parameter(bounds::CurveParameters const& given,
                                         std::string const& name, std::string const& accepted);

/// One eigenvalue as `crx spectrum` reports it.
struct SpectrumReport
{
    spectrum::Problem problem;
    spectrum::Dominant found;
    double trace = 0;                                  ///< its closed form
    double other_trace = 0;                            ///< computed in another way
    bool definition = false;                           ///< by its definition; else by the tail form
    std::optional<spectrum::ProvenBounds> proven = {}; ///< at s = 0
};

/// `definition` asks for the trace by its definition past u = 10^7 too: it costs some 400 ns a
/// length. Throws std::domain_error.
SpectrumReport spectrum_report(spectrum::Problem const& problem, spectrum::Options const& options,
                               bool definition);

nlohmann::ordered_json spectrum_as_json(SpectrumReport const& report);

} // namespace crx
