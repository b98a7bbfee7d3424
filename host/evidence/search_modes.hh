#pragma once

#include "host/evidence/search_options.hh"

namespace crx {

// The ways of `crx search` that do not anneal. Both print what they find, and throw ConfigError and
// Stopped.

/// `--exhaustive`: all instances of a class with exactly n and M. Prints the largest ratio, the
/// counts and a hash of all ratios.
void run_exhaustive_search(SearchOptions const& options);

/// `--lengths`: the worst composition of large n and M.
void run_composition_search(SearchOptions const& options);

} // namespace crx
