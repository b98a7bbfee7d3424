#pragma once

#include "analysis/worst/resize.hh"
#include "host/evidence/witness_file.hh"

#include <optional>
#include <string>

namespace crx {

// What `crx search` prints and writes.

/// What was found, for a terminal.
std::string found_as_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found);

/// A line of a search's progress.
std::string progress_text(SearchOptions const& options, worst::Objective const& objective,
                          worst::Found const& found, double seconds);

/// The ratio of means over draws that the search has not seen, with an interval; an empty text
/// where neither policy draws.
std::string confirmed_as_text(SearchOptions const& options, worst::Found const& found,
                              FreshCosts const& fresh);

/// A line for each family of scaled instances.
std::string families_as_text(std::vector<worst::FamilyReport> const& reports);

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
