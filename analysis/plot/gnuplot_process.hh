#pragma once

#include <string>

namespace crx::plot {

/// What gnuplot prints when it runs a script, without the user's start-up files: a picture, where
/// the script sets a terminal and no output. No file is made. What gnuplot complains of goes to
/// stderr.
///
/// Throws PlotError if there is no gnuplot in PATH, it refuses a command of the script, or it stops
/// before the end.
std::string run_gnuplot(std::string const& script);

} // namespace crx::plot
