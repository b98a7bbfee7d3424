#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace crx {

/// What the check of an optimum certificate has shown by itself.
struct CheckedOptimum
{
    std::int64_t upper = 0;   ///< TEL of the schedule in the file
    std::int64_t lower = 0;   ///< on OPT; = upper if no schedule is better
    std::int64_t arcs = 0;    ///< of the configurations that ruled out better schedules
    bool search_ended = true; ///< false: they met their limit and proved nothing
};

/// Is the object the certificate of an optimum or of a bracket, as `crx baseline --certificate`
/// writes it (docs/witnesses.md)?
bool is_optimum_certificate(nlohmann::ordered_json const& file);

/// Checks such a certificate with plain loops that share no code with the search for schedules,
/// bounds and optima: every token of the schedule, and the lower bound that the prices give, in
/// exact integers, or that outputs and volumes do (oracle/bounds.hh). Where the file says that
/// configurations have proven the optimum, their paths are followed again, through `most_arcs` arcs
/// at most. Throws std::invalid_argument with what is wrong.
CheckedOptimum check_optimum_certificate(nlohmann::ordered_json const& file,
                                         std::int64_t most_arcs);

/// The result in one line of text.
std::string as_text(CheckedOptimum const& checked);

} // namespace crx
