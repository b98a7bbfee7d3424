#pragma once

#include "host/experiment/paths.hh"
#include "host/store/extension/part_rows.hh"
#include "host/store/tables/checksums.hh"
#include "kernels/model/tally.cuh"

#include <string>
#include <vector>

namespace crx {

/// A range of a cell's instances in a store.
struct ChunkRow
{
    std::int64_t chunk = 0, cell = 0, first = 0, count = 0, run = 0, part = 0;
    std::string checksum; ///< as it was written
};

/// All chunks by cell, then by first instance.
std::vector<ChunkRow> list_chunks(Database const& database);
/// Those of one cell.
std::vector<ChunkRow> list_chunks(Database const& database, std::int64_t cell);

/// What stands in the store of one chunk.
struct ChunkSums
{
    Tally tally;                        ///< of the round model
    std::vector<std::string> engines;   ///< that ran each policy; empty where they are not known
    PathSums paths;                     ///< of the iteration model
    std::int64_t rows = 0;              ///< of the tables of sums
    Holdings const* holdings = nullptr; ///< which sums these are; of the reader's parts
};

/// Reads chunks one by one, each by its own key: what is checked is what is used, whatever the
/// indices of the file say.
class ChunkReader
{
  public:
    /// Contract: both outlive it.
    ChunkReader(Database const& database, Parts& parts);

    /// Throws std::invalid_argument, saying what is wrong, where the rows are not those that were
    /// written (checksum), or cannot be sums of so many instances.
    ChunkSums read(ChunkRow const& chunk);

  private:
    std::size_t policy(Statement const& row) const;

    Parts& parts_;
    Statement itself_, of_policies_, of_ratios_, of_paths_;
};

} // namespace crx
