#pragma once

#include "host/store/store_header.hh"
#include "host/store/tables/cell_rows.hh"
#include "host/store/tables/chunk_rows.hh"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace crx {

/// Something in a store that is not what was written.
struct Damage
{
    std::string what;       ///< "chunk 5 (cell 3, instances 0 to 99): its checksum is ..."
    std::int64_t cell = -1; ///< whose results it concerns; -1: not those of one cell alone
};

/// What a store holds, and what of it is as it was written.
struct Inspection
{
    std::optional<StoreHeader> header; ///< nothing: damaged, and no chunk can be read without
    std::vector<StoredCell> cells;     ///< whole ones, by index
    std::set<std::int64_t> runs;       ///< whole ones
    std::vector<ChunkRow> chunks;      ///< whole ones, by cell, then by first instance
    bool all_listed = true;            ///< false: chunks are lost, and nothing says of which cells
    std::vector<Damage> damage;
};

/// Reads all of a store and holds it to its checksums. `use`, where given, gets each whole chunk as
/// it is read, in the order of `chunks`. Throws DatabaseError for what SQLite cannot read at all.
Inspection inspect(Database const& database,
                   std::function<void(ChunkRow const&, ChunkSums&&)> const& use = {});

/// Adds what SQLite says of the file's own structure, indices among it.
void inspect_structure(Database const& database, std::vector<Damage>& damage);

/// The header alone. Throws std::exception where it is damaged.
StoreHeader read_whole_header(Database const& database);

/// A store that is not whole; the text names what was found first, and how much more there is.
class DamagedStore : public std::runtime_error
{
  public:
    explicit DamagedStore(std::vector<Damage> const& damage);
};

} // namespace crx
