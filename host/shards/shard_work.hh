#pragma once

#include "host/shards/due_work.hh"
#include "host/store/shard_record.hh"

namespace crx {

/// What one shard is to run.
struct ShardWork
{
    std::vector<CellRanges> work; ///< of this shard
    std::string record;           ///< for its store's header
    bool is_complete = false;     ///< the experiment lacks nothing, so no shard has work
};

/// The shard's part of what the experiment lacks in `base`, the merged store of the rounds before;
/// empty: there is none. `header` is that of the experiment. Throws InputError where `base` cannot
/// be read or holds another experiment.
ShardWork shard_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                     StoreHeader const& header, std::filesystem::path const& base,
                     ShardNumber const& number);

/// What the experiment lacks in a store before it needs a sum that is not there (due_work).
struct MissingWork
{
    std::int64_t cells = 0, instances = 0;
};

/// Throws as shard_work does.
MissingWork missing_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                         StoreHeader const& header, std::filesystem::path const& store);

} // namespace crx
