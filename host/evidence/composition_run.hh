#pragma once

#include "host/evidence/search_options.hh"

namespace crx {

/// `crx search --lengths`: the worst composition of large n and M. Throws ConfigError, Stopped.
void run_composition_search(SearchOptions const& options);

} // namespace crx
