#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace crx {

/// What a merged store holds.
struct MergeSummary
{
    std::int64_t stores = 0, cells = 0, chunks = 0, instances = 0;
    std::vector<std::string> programs; ///< "version (commit, build type)" that its chunks come from
};

/// Joins stores of one experiment in a new one, chunk by chunk: shards of a round, the merged store
/// of the rounds before, stores of other machines. Their order does not matter. `output` is there
/// whole or not at all.
///
/// Throws InputError, naming stores and places, where a store is not one, damaged, being written or
/// of another experiment, where two have the same instances, where a shard is missing or not done,
/// or instances are, and where `output` is there already; Stopped where `stop_asked` says so.
MergeSummary merge_stores(
    std::vector<std::filesystem::path> const& stores, std::filesystem::path const& output,
    std::function<bool()> const& stop_asked = [] { return false; });

} // namespace crx
