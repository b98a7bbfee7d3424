#pragma once

#include "analysis/worst/exhaustive/exhaustive.hh"
#include "host/search/search_options.hh"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace crx {

/// An exhaustive search, whole or in part, as its file says it (docs/witnesses.md).
struct Certificate
{
    nlohmann::ordered_json range;    ///< which instances, and the two sides of the ratio
    std::int64_t multisets = 0;      ///< of the range
    std::int64_t first = 0, end = 0; ///< the multisets that this file is of
    std::int64_t next = 0;           ///< those before are done; `end`: the file is complete
    worst::Exhausted found;
    std::string found_by;
};

/// The side of an exact ratio that --policy or --over names. Throws ConfigError.
worst::ExactCost exact_cost_argument(std::string const& option, std::string const& id,
                                     SearchOptions const& options);
worst::ExactDenominator exact_denominator(SearchOptions const& options);

/// What the options ask for, nothing of it done. Throws ConfigError.
Certificate empty_certificate(SearchOptions const& options, std::int64_t multisets);

/// The options that ask for the certificate's whole range.
SearchOptions options_of(Certificate const& certificate);

/// Each witness has its optimum proven a second time, by `crx baseline`'s search.
nlohmann::ordered_json certificate_as_json(SearchOptions const& options,
                                           Certificate const& certificate);
std::string certificate_as_text(Certificate const& certificate);

/// Throws InputError "FILE: why".
Certificate read_certificate(std::filesystem::path const& file);

} // namespace crx
