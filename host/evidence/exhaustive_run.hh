#pragma once

#include "host/evidence/search_options.hh"

namespace crx {

/// `crx search --exhaustive`: all instances of a class with exactly n and M. Prints the largest
/// ratio, the counts and a hash of all ratios. Throws ConfigError, Stopped.
void run_exhaustive_search(SearchOptions const& options);

} // namespace crx
