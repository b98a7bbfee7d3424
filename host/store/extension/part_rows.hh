#pragma once

#include "host/store/extension/holdings.hh"

#include <map>

namespace crx {

/// The parts of a store: what its chunks hold, by number. A store that was never extended has one,
/// everything. Contract: the database outlives it.
class Parts
{
  public:
    Parts(Database const& database, StoreHeader const& header)
        : database_(database), model_(header.model), policies_(header.policies),
          baselines_(header.baselines)
    {
    }

    Model model() const { return model_; }
    std::size_t policies() const { return policies_.size(); }
    std::vector<std::string> const& baselines() const { return baselines_; }

    /// Throws std::exception where there is none of that number or its row is damaged.
    Holdings const& of(std::int64_t part);
    /// Number of the part that holds just this, which is added if it is not there yet. Contract: a
    /// transaction is open.
    std::int64_t ensure(Holdings const& holdings);

  private:
    Database const& database_;
    Model model_;
    std::vector<PolicyEntry> policies_;
    std::vector<std::string> baselines_;
    std::map<std::int64_t, Holdings> known_; ///< as they were read: none of a transaction undone
};

} // namespace crx
