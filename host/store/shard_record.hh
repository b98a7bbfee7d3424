#pragma once

#include "host/experiment/experiment.hh"
#include "kernels/model/requests.cuh"

#include <string>
#include <vector>

namespace crx {

/// Which of the equal shares of a round's work a process runs: 1 .. of.
struct ShardNumber
{
    std::int64_t shard = 1, of = 1;
    bool operator==(ShardNumber const&) const = default;
};

/// "2/3"
std::string to_text(ShardNumber const& number);
/// Throws ConfigError where the text is no I/N with 1 <= I <= N.
ShardNumber parse_shard_number(std::string const& text);

/// Instances of one cell that a shard is to run.
struct CellShare
{
    std::string sweep;
    Coordinates coordinates;
    std::vector<InstanceRange> ranges; ///< ascending, disjoint
};

/// What the store of a shard is to hold, as it stands in its header.
struct ShardRecord
{
    ShardNumber number;
    /// Hash of all instances that the round runs, in which cells, and of the number of shards:
    /// shards of one round have it alike.
    std::string round;
    std::vector<CellShare> cells;
};

/// Canonical JSON of a record, and back. Reading throws std::exception for a damaged text.
std::string to_text(ShardRecord const& record);
ShardRecord parse_shard_record(std::string const& text);

/// "shard 2/3" of a record's text, for messages.
std::string shard_name(std::string const& record);

} // namespace crx
