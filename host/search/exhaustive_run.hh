#pragma once

#include "host/search/search_options.hh"

namespace crx {

/// `crx search --exhaustive`: all instances of a class with exactly n and M, as a certificate. Goes
/// on with what its output file holds of the same range. Throws ConfigError, Stopped.
void run_exhaustive_search(SearchOptions const& options);

/// `crx search --merge`: certificates of parts that follow each other as one. Throws ConfigError.
void merge_certificates(SearchOptions const& options);

} // namespace crx
