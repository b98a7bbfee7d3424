#pragma once

#include "host/experiment/experiment.hh"
#include "host/store/keys.hh"

#include <SQLiteCpp/SQLiteCpp.h>
#include <optional>

namespace crx {

// The tables of docs/store.md. Every row ends with the checksum of its other columns, so that a bit
// that a disk or a copy has changed is seen; checksums are against accidents, not against forgery.
// Reading a row returns nothing where it is not as it was written.

/// In place of the number of a row of sums: the next that is free.
inline constexpr std::int64_t new_row = -1;

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

/// A cell of the experiment at hand: a PlannedCell without its workload.
struct StoredCell
{
    std::int64_t index = 0; ///< in plan order: grids first, then refinements
    std::string sweep;
    Coordinates coordinates;
    std::map<std::string, double> parameters;
    std::string identity;
    std::vector<std::pair<std::string, std::int64_t>> left_out;
    CellKeys keys = {}; ///< of its rows of sums
};

/// A run of the program that added something to a store.
struct StoredRun
{
    std::int64_t number = 0;
    std::string started; ///< UTC: "2026-11-24T15:00:00Z"
    std::string version, commit, build_type, backend, device;
    double seconds = 0; ///< from its start to its last chunk, by the clock on the wall
};

/// A chunk of one key: its sums over a range of instances.
struct SumsRow
{
    std::int64_t number = new_row;
    SumsKey key;
    std::int64_t first = 0, count = 0, run = 0;
    std::string engine = {}; ///< that ran the policy; empty: not known
    std::string sums = {};   ///< host/store/sums_text.hh
};

/// SQLite's application_id of stores, and the version of these tables: the lowest byte of the
/// user_version (host/store/journal.hh).
inline constexpr std::int64_t store_application_id = 0x63727820; ///< "crx "
inline constexpr std::int64_t store_version = 8;

/// Makes the tables in an empty database, with `id` on the file's first page.
void create_tables(SQLite::Database& database, std::string const& id);

/// A table, its key and all its columns.
struct RowQuery
{
    char const* table;
    char const* key;
    char const* columns;
};
inline constexpr RowQuery experiment_rows{
    "experiments", "experiment",
    "experiment, used, name, text, folder, overrides, seed, model, identity, policies, baselines, "
    "shard, checksum"};
inline constexpr RowQuery run_rows{"runs", "run",
                                   "run, started, version, commit_id, build_type, backend, device, "
                                   "milliseconds, checksum"};
inline constexpr RowQuery cell_rows{
    "cells", "cell", "cell, sweep, coordinates, parameters, identity, left_out, keys, checksum"};
inline constexpr RowQuery sums_rows{"sums", "chunk",
                                    "chunk, key, first, count, run, engine, sums, checksum"};

/// All rows by number, or the one of the number that is bound.
std::string select_all(RowQuery const& rows);
std::string select_one(RowQuery const& rows);

/// The row that a statement of these queries stands at.
std::optional<StoreHeader> read_experiment(SQLite::Statement& row);
std::optional<StoredRun> read_run(SQLite::Statement& row);
std::optional<StoredCell> read_cell(SQLite::Statement& row, std::size_t policies);
std::optional<SumsRow> read_sums(SQLite::Statement& row);
/// What a row of sums says, though it is not as it was written.
SumsRow claimed_sums(SQLite::Statement& row);

/// Writes rows of one table: new ones, or those in place of others of their numbers. Contract: a
/// transaction is open. Returns their numbers.
class RowWriter
{
  public:
    RowWriter(SQLite::Database& database, RowQuery const& rows);
    std::int64_t write(StoreHeader const& header, std::int64_t number);
    std::int64_t write(StoredRun const& run);
    std::int64_t write(StoredCell const& cell);
    std::int64_t write(SumsRow const& sums);

  private:
    void begin(std::int64_t number);
    void text(std::string_view value);
    void bytes(std::string_view value);
    void integer(std::int64_t value);
    std::int64_t end();

    SQLite::Database& database_;
    SQLite::Statement row_;
    int at_ = 0;
    std::string covered_; ///< by the checksum
};

/// Coordinates as the store's JSON text; equal points have equal texts.
std::string coordinates_text(Coordinates const& coordinates);

} // namespace crx
