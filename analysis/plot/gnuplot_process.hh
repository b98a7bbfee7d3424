#pragma once

#include <filesystem>
#include <string>

namespace crx::plot {

/// Runs gnuplot on a script, without the user's start-up files. `folder` takes a mark by which it
/// is known that gnuplot came to the end. What gnuplot complains of goes to stderr.
///
/// Throws PlotError if there is no gnuplot in PATH, or it stopped before the end.
void run_gnuplot(std::string const& script, std::filesystem::path const& folder);

} // namespace crx::plot
