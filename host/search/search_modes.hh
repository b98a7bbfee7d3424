#pragma once

#include "host/search/search_options.hh"

namespace crx {

/// Refuses options that what is asked for has no use for, by `options.given`: --records, --merge,
/// --exhaustive and --lengths take some each, a search over instances the others. Throws
/// ConfigError naming the first.
void check_options_of_mode(SearchOptions const& options);

} // namespace crx
