#pragma once

#include "host/experiment/experiment.hh"

namespace crx {

/// What a store says of an experiment that used it: enough to read it again and to name policies in
/// results.
struct StoreHeader
{
    std::string name;
    std::string text;                   ///< the experiment file
    std::string folder;                 ///< where its relative paths start
    std::vector<std::string> overrides; ///< KEY=VALUE of --set
    std::uint64_t seed = 0;
    std::string identity; ///< canonical JSON of what the results depend on
    std::vector<PolicyEntry> policies;
    std::vector<std::string> baselines;
    Model model = Model::rounds;
    /// What of the experiment a shard's store is to hold (host/store/shard_record.hh); empty: all.
    std::string shard = {};
    std::string used = {}; ///< when it first used the store, UTC; set by the store
};

/// Header of an experiment read from a file in `folder`.
StoreHeader header_of(Experiment const& experiment, std::filesystem::path const& folder,
                      std::vector<std::string> const& overrides);

} // namespace crx
