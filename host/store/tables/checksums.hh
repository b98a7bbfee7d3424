#pragma once

#include "host/store/file/database.hh"

namespace crx {

// Every part of a store carries the checksum of its rows, so that a bit that a disk or a copy has
// changed is seen (docs/store.md, "Checksums"). They are against accidents, not against forgery.

/// CRC-64/XZ of rows: of each value the text that SQLite gives for it and byte 1F, of an absent one
/// byte 00; at the end of a row byte 1E.
class RowChecksum
{
  public:
    /// Adds the first `columns` columns of the row that the statement stands at.
    void add(Statement const& row, int columns);
    void add(Statement const& row) { add(row, row.columns()); }
    /// 16 hexadecimal digits.
    std::string text() const;

  private:
    std::string text_;
};

/// The parts that have a checksum of their own.
struct SealedTable
{
    char const* name; ///< of the table, and of its key
    char const* key;
    char const* columns; ///< that the checksum covers
};
inline constexpr SealedTable sealed_cells{
    "cells", "cell", "cell, sweep, coordinates, parameters, identity, identity_hash, left_out"};
inline constexpr SealedTable sealed_runs{
    "runs", "run", "run, started, version, commit_id, build_type, backend, device, milliseconds"};

/// Writes the checksum of a row of cells or runs as it is now.
void seal_row(Database const& database, SealedTable const& table, std::int64_t key);

/// Of meta, but for its own row, of policies and of parts.
std::string header_checksum(Database const& database);
void seal_header(Database const& database);

/// What a chunk's checksum covers of its own row.
inline constexpr char const* chunk_row_query =
    "SELECT chunk, cell, first, count, run, part FROM chunks WHERE chunk = ?";

/// Writes the checksum of a chunk as it is now: of its row and of its rows of sums. To be called in
/// each transaction that adds or changes one of them.
void seal_chunk(Database const& database, std::int64_t chunk);

} // namespace crx
