#pragma once

#include "host/search/found_file.hh"

#include <memory>

namespace crx {

/// The witness file that a search writes: what it held before, and what it is to hold.
class OutputWitness
{
  public:
    /// Reads what is there. Throws ConfigError where that is something else, which would be lost:
    /// no witness, or one of another ratio or another class of instances. A record is in its place
    /// by its name, so its class is not looked at.
    OutputWitness(std::string file, SearchOptions const& options, worst::InstanceClass const& of,
                  worst::Objective const& goal);

    /// Where the search goes on; nothing: there is no file yet.
    std::optional<OwnedInstance> const& instance() const { return instance_; }

    /// To be called before offer(): refuses a place where no file can be.
    void begin();
    /// Writes it within a second (FoundKeeper), unless it is what the file held, whose `found_by`
    /// then stays.
    void offer(nlohmann::ordered_json const& witness);
    bool failed() const { return keeper_ && keeper_->failed(); }
    void finish();

  private:
    std::string file_;
    nlohmann::ordered_json held_; ///< null: there is no file yet
    std::optional<OwnedInstance> instance_;
    bool changed_ = false; ///< since begin()
    std::unique_ptr<FoundKeeper> keeper_;
};

/// Where the search starts from: the output file; with --record all records of the policy, as those
/// of a narrower class belong to this one too, and the search passes over the others.
std::vector<OwnedInstance> known_instances(SearchOptions const& options,
                                           std::optional<OwnedInstance> const& held);

/// Where the instance goes that --shrink made smaller at a cost in the ratio: "a.small.json" beside
/// "a.json", which keeps the best.
std::string small_file(std::string const& file);

} // namespace crx
