#pragma once

#include "host/evidence/witness_file.hh"

#include <optional>

namespace crx {

/// The witness file that a search continues and writes.
class OutputWitness
{
  public:
    /// Reads what is there. Throws ConfigError where that is something else, which would be lost:
    /// no witness, or one of another ratio or another class of instances, or where no file can be.
    OutputWitness(std::string const& file, SearchOptions const& options,
                  worst::InstanceClass const& of, worst::Objective const& goal);

    /// The instance in the file, from which the search starts; empty without a file.
    std::optional<OwnedInstance> const& instance() const { return instance_; }

    /// Writes the witness unless the file holds it already, whose `found_by` then stays. Contract:
    /// it is no worse than what the file holds; one call at a time.
    void offer(nlohmann::ordered_json const& witness);

  private:
    void read(SearchOptions const& options, worst::InstanceClass const& of,
              worst::Objective const& goal);

    std::string file_;
    nlohmann::ordered_json held_; ///< null: there is no file yet
    std::optional<OwnedInstance> instance_;
};

/// Where the instance goes that --shrink made smaller at a cost in the ratio: "a.small.json" beside
/// "a.json", which keeps the best.
std::string small_file(std::string const& file);

} // namespace crx
