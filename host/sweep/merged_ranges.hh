#pragma once

#include "host/store/shard_record.hh"
#include "host/sweep/due_work.hh"

#include <memory>
#include <set>

namespace crx {

/// Which instances of which cells the stores of a merge have, and from which of them.
class MergedRanges
{
  public:
    /// Notes instances of a store. Throws InputError where another store has them too.
    void add(StoreState::Key const& cell, InstanceRange range, Holdings const& holdings,
             std::filesystem::path const& store);
    /// Notes that a store is a shard.
    void add_shard(ShardRecord record, std::filesystem::path const& store);

    /// Throws InputError where a shard of a round is missing, there twice or not done, where a cell
    /// lacks instances before others that it has, and where some have a part of their sums alone.
    void expect_whole() const;

  private:
    struct Held
    {
        InstanceRange range;
        std::filesystem::path const* store;
    };
    struct Shard
    {
        ShardRecord record;
        std::filesystem::path const* store;
    };
    /// Ranges of a cell by what they hold, and then by their first instance.
    using Ranges = std::map<Holdings, std::map<std::int64_t, Held>>;

    std::filesystem::path const* name(std::filesystem::path const& store);
    void expect_whole_rounds() const;
    void expect_done(Shard const& shard) const;
    void expect_no_gaps() const;
    Coverage coverage(StoreState::Key const& cell) const;

    std::set<std::filesystem::path> names_;
    std::map<StoreState::Key, Ranges> cells_;
    std::vector<Shard> shards_;
};

} // namespace crx
