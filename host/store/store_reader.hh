#pragma once

#include "host/store/tables.hh"

#include <filesystem>
#include <functional>
#include <set>
#include <unordered_map>

namespace crx {

/// Something in a store that is not what was written.
struct Damage
{
    std::string what; ///< "chunk 5 (cell 3, policy a-min, instances 0 to 99): ..."
    /// Whose results it concerns; nothing: it cannot be said.
    std::optional<std::vector<std::int64_t>> cells = {};
};

/// Where a key's sums belong in the experiment at hand.
struct SumsPlace
{
    std::int64_t cell = 0;
    std::size_t policy = 0;
    std::optional<std::size_t> baseline; ///< nothing: the policy's own sums
};
/// By key; several places have one key where cells are alike.
using SumsPlaces = std::unordered_multimap<SumsKey, SumsPlace, HashOfKey>;

/// What a store holds, but for its sums.
struct StoreParts
{
    std::vector<StoreHeader> experiments;   ///< that used it, in their order; the last is at hand
    std::vector<StoredCell> cells;          ///< of the experiment at hand, by index
    SumsPlaces places;                      ///< of all their keys
    std::map<std::int64_t, StoredRun> runs; ///< by number
    std::vector<Damage> damage;
    /// The rows that are damaged, by table and number.
    std::vector<std::pair<RowQuery, std::int64_t>> damaged_rows;

    bool header_is_whole = true; ///< that of the experiment at hand

    StoreHeader const& header() const { return experiments.back(); }
    bool has_header() const { return !experiments.empty() && header_is_whole; }
};

/// Takes a row of sums, when all other parts are read.
using UseSums = std::function<void(StoreParts const&, SumsRow&&)>;

/// Reads all of a store, compares every checksum and hands each whole row of sums to `use`. Throws
/// SQLite::Exception for what SQLite cannot read.
StoreParts read_parts(SQLite::Database& database, UseSums const& use);
/// What SQLite says of a file's structure among the damage, which no run mends; empty: nothing.
std::string damage_of_structure(std::vector<Damage> const& damage);
/// What to do with a store that has such damage.
inline constexpr std::string_view how_to_recover =
    "move it away, and sweep again; SQLite's own .recover may save rows of it";

/// The same of a file, which must be whole: throws InputError with what is damaged and how to mend
/// it, and as with_store does. `restart` is called before each reading.
StoreParts read_whole_parts(std::filesystem::path const& file, UseSums const& use,
                            std::function<void()> const& restart);

/// What `crx check` says of a store.
struct StoreCheck
{
    std::string file;
    std::string refusal; ///< why it cannot be read as a store; empty: it can
    std::vector<Damage> damage;
    std::int64_t cells = 0;     ///< of the experiment at hand
    std::int64_t chunks = 0;    ///< whole rows of sums
    std::int64_t instances = 0; ///< of these cells, with some policy's sums
    std::int64_t orphans = 0;   ///< rows of sums that the experiment does not ask for
    /// By index; those without damage. Nothing where it cannot be said whose the damage is.
    std::optional<std::vector<std::int64_t>> whole_cells;

    bool is_whole() const { return refusal.empty() && damage.empty(); }
};

/// Holds a store to its checksums and to SQLite's own rules. Throws nothing for a bad file.
StoreCheck check_store(std::filesystem::path const& file);

} // namespace crx
