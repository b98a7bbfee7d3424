#pragma once

#include "analysis/worst/annealing.hh"
#include "host/evidence/search_options.hh"
#include "kernels/engines/cell.hh"
#include "oracle/witness/witness.hh"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace crx {

// Witness files (docs/witnesses.md).

/// A ratio in lowest terms: "30/11", or "2".
std::string fraction_text(worst::Ratio const& ratio);

/// A row per run of equal consecutive requests, with their count.
nlohmann::ordered_json requests_as_json(OwnedInstance const& instance);

/// A line per run of equal consecutive requests.
std::string requests_as_text(OwnedInstance const& instance);

/// Appends a checksum of all other keys, by which a changed file is recognised.
nlohmann::ordered_json with_checksum(nlohmann::ordered_json file);

/// What other draws than those of a search give: sets of as many each.
class FreshCosts
{
  public:
    static constexpr int sets = 20;
    static constexpr std::uint64_t first_seed = SearchOptions::draw_seed + 1;

    struct Means
    {
        std::vector<std::int64_t> sums; ///< of each set; empty: no random policy, or unfinished
        worst::Ratio mean;
        double within = 0; ///< half the width of the interval, 95 %
    };

    FreshCosts(SearchOptions options, worst::Objective const& objective);
    bool any() const { return above_ || below_; } ///< whether a side is a random policy
    Means above(OwnedInstance const& instance) const
    {
        return above_ ? means("--policy", options_.policy, instance) : Means{};
    }
    Means below(OwnedInstance const& instance) const
    {
        return below_ ? means("--over", options_.over, instance) : Means{};
    }

  private:
    Means means(char const* option, std::string const& id, OwnedInstance const& instance) const;

    SearchOptions options_;
    bool above_, below_;
};

/// What a search found as a witness file.
nlohmann::ordered_json found_as_json(SearchOptions const& options,
                                     worst::Objective const& objective, worst::Found const& found,
                                     FreshCosts const& fresh);

/// True where the witness has the search's ratio: policy with parameters and draws, denominator,
/// measure and bound.
bool is_of_search(nlohmann::ordered_json const& witness, SearchOptions const& options,
                  worst::Objective const& objective);

/// A witness file that was read.
struct EvidenceFile
{
    nlohmann::ordered_json json;
    oracle::Witness witness;
    OwnedInstance instance; ///< with the numerator's memory, and the clock
};

/// Throws InputError "FILE: why" where it is no witness file (docs/witnesses.md), or has numbers
/// past 31 bits. Whether it holds is not looked at.
EvidenceFile read_evidence(std::filesystem::path const& file);

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
