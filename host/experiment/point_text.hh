#pragma once

#include "host/experiment/experiment.hh"

namespace crx {

/// "alpha=0.1 w=0.5": a point of a sweep in reports.
std::string point_text(Coordinates const& coordinates);
/// "alpha a=0.1 w=0.5", with the sweep's name; the name alone where there are no axes.
std::string point_text(std::string const& sweep, Coordinates const& coordinates);
/// ", alpha = 0.1, w = 0.5": in sentences.
std::string point_clause(Coordinates const& coordinates);
/// " at alpha = 0.1, w = 0.5 (sweep x)": in messages about an experiment.
std::string cell_place(std::string const& sweep, Coordinates const& coordinates);

} // namespace crx
