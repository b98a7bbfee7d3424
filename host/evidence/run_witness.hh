#pragma once

#include "host/evidence/search_options.hh"
#include "kernels/engines/cell.hh"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace crx {

/// One policy of a cell on one of its instances as a witness file, over mc-sf with true lengths:
/// clock, seed and number of the random choices stand in it, so that `crx simulate --instance` runs
/// the same without more. Throws RunError where the policy does not finish.
nlohmann::ordered_json run_as_witness(Cell const& cell, std::size_t policy,
                                      OwnedInstance const& instance, std::int64_t number,
                                      std::int64_t total_latency, std::string const& found_by);

/// What a witness file says of how its numerator is run.
struct WitnessRun
{
    OwnedInstance instance; ///< with memory and clock
    std::string policy, selector;
    PolicyParameters parameters;
    std::uint64_t seed = 0;
    std::int64_t number = 0;
};

/// Throws InputError "FILE: why".
WitnessRun read_witness_run(std::filesystem::path const& file);

} // namespace crx
