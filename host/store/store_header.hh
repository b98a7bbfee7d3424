#pragma once

#include "host/experiment/experiment.hh"
#include "host/store/file/database.hh"

namespace crx {

/// What a store says of its experiment: enough to read it again and to name policies in results.
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
};

/// Header of an experiment read from a file in `folder`.
StoreHeader header_of(Experiment const& experiment, std::filesystem::path const& folder,
                      std::vector<std::string> const& overrides);

/// Hash of an identity: its name-based UUID (RFC 4122, version 5, name space OID), which Python's
/// uuid.uuid5(uuid.NAMESPACE_OID, text) also gives. A label for people and for merging; texts are
/// compared in full.
std::string identity_hash(std::string const& identity);

void write_header(Database const& database, StoreHeader const& header);
/// Replaces what may change under the same identity: text, folder, overrides.
void update_header(Database const& database, StoreHeader const& header);
StoreHeader read_header(Database const& database);

} // namespace crx
