#pragma once

#include "host/experiment/experiment.hh"
#include "host/experiment/law_catalogue.hh"

namespace crx {

/// How a cell's lengths come about, by parameters.
struct LengthsIdentity
{
    std::string output_law, prompt_law; ///< prompt_law empty: constant or trace
    LawValues output, prompt;           ///< fields of those laws
    std::vector<std::string> trace_hashes;
    std::string time_hash; ///< of arrivals at the times of a trace
    std::int64_t speed = 0;
    double arrival_rate = 0; ///< of arrivals drawn for each round
    double gap_cv = 0;       ///< of gamma gaps
};

/// Canonical JSON (keys sorted, no blanks) of all that a cell's results depend on.
std::string cell_identity(Cell const& cell, LengthsIdentity const& lengths);

} // namespace crx
