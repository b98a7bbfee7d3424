#pragma once

#include "host/search/found_file.hh"

#include <optional>

namespace crx {

/// The witness file that a search writes: what it held before, and what it is to hold.
class OutputWitness
{
  public:
    /// Reads what is there. Throws ConfigError where that is something else, which would be lost:
    /// no witness, or one of another ratio or another class of instances, or where no file can be.
    /// A record is in its place by its name, so its class is not looked at.
    OutputWitness(std::string const& file, SearchOptions const& options,
                  worst::InstanceClass const& of, worst::Objective const& goal);

    /// Where the search goes on; nothing: there is no file yet.
    std::optional<OwnedInstance> const& instance() const { return instance_; }

    /// Writes it within a second (FoundKeeper), unless the file held it, whose `found_by` then
    /// stays. Contract: what comes is better than what the file held, or the same.
    void offer(nlohmann::ordered_json const& witness);
    bool failed() const { return keeper_->failed(); }
    void finish() { keeper_->finish(); }

  private:
    void read(std::string const& file, SearchOptions const& options, worst::InstanceClass const& of,
              worst::Objective const& goal);

    nlohmann::ordered_json held_; ///< null: there is no file yet
    std::optional<OwnedInstance> instance_;
    std::optional<FoundKeeper> keeper_;
};

/// Where the search starts from: the output file; with --record all records of the policy, as those
/// of a narrower class belong to this one too, and the search passes over the others.
std::vector<OwnedInstance> known_instances(SearchOptions const& options,
                                           std::optional<OwnedInstance> const& held);

/// Where the instance goes that --shrink made smaller at a cost in the ratio: "a.small.json" beside
/// "a.json", which keeps the best.
std::string small_file(std::string const& file);

} // namespace crx
