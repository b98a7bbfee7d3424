#pragma once

#include "host/evidence/certificate/start_costs.hh"

namespace crx::certificate {

struct CheckedConfigurations
{
    bool ended = true; ///< false: more than `most_arcs` arcs were looked at, and nothing is proven
    std::int64_t arcs = 0;
};

/// Follows the file's stages until no path of a schedule with TEL < certified.upper is left. Plain
/// loops, no code of the bound that they check. Throws std::invalid_argument where such a schedule
/// is found, or may be left at the end, or where there are more than 64 requests.
CheckedConfigurations check_configurations(Certified const& certified, StartCosts const& first,
                                           std::int64_t most_arcs);

} // namespace crx::certificate
