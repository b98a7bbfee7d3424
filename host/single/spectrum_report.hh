#pragma once

#include "analysis/spectrum/dominant.hh"
#include "analysis/spectrum/proven_bounds.hh"

#include <nlohmann/json.hpp>
#include <optional>

namespace crx {

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
