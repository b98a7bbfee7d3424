#include "host/store/tables/schema.hh"

namespace crx {

namespace {

constexpr std::int64_t application_id = 0x63727820; ///< "crx "
constexpr std::int64_t schema_version = 7;

// docs/store.md describes every column; keep the two together.
constexpr char const* tables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE policies(policy INTEGER PRIMARY KEY, id TEXT NOT NULL, label TEXT NOT NULL UNIQUE);
CREATE TABLE runs(
  run INTEGER PRIMARY KEY, started TEXT NOT NULL, version TEXT NOT NULL, commit_id TEXT NOT NULL,
  build_type TEXT NOT NULL, backend TEXT NOT NULL, device TEXT NOT NULL,
  milliseconds INTEGER NOT NULL, checksum TEXT NOT NULL);
CREATE TABLE cells(
  cell INTEGER PRIMARY KEY, sweep TEXT NOT NULL, coordinates TEXT NOT NULL,
  parameters TEXT NOT NULL, identity TEXT NOT NULL, identity_hash TEXT NOT NULL,
  left_out TEXT NOT NULL, checksum TEXT NOT NULL, UNIQUE(sweep, coordinates));
CREATE TABLE parts(part INTEGER PRIMARY KEY, holds TEXT NOT NULL);
CREATE TABLE chunks(
  chunk INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cells, first INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK(count > 0), run INTEGER NOT NULL REFERENCES runs,
  part INTEGER NOT NULL REFERENCES parts, checksum TEXT NOT NULL, UNIQUE(cell, part, first));
CREATE TABLE policy_sums(
  chunk INTEGER NOT NULL REFERENCES chunks, policy INTEGER NOT NULL REFERENCES policies,
  finished INTEGER NOT NULL, unfinished INTEGER NOT NULL, cycle INTEGER NOT NULL,
  round_cap INTEGER NOT NULL, blocked INTEGER NOT NULL, out_of_range INTEGER NOT NULL,
  latency TEXT NOT NULL, latency_squares TEXT NOT NULL, first_token TEXT NOT NULL,
  first_token_squares TEXT NOT NULL, makespan TEXT NOT NULL, makespan_squares TEXT NOT NULL,
  cancellations TEXT NOT NULL,
  wasted_tokens TEXT NOT NULL, events TEXT NOT NULL, peak_memory INTEGER NOT NULL,
  engine TEXT NOT NULL,
  PRIMARY KEY(chunk, policy)) WITHOUT ROWID;
CREATE TABLE ratio_sums(
  chunk INTEGER NOT NULL REFERENCES chunks, policy INTEGER NOT NULL REFERENCES policies,
  baseline TEXT NOT NULL, ratio TEXT NOT NULL, ratio_squares TEXT NOT NULL,
  denominator TEXT NOT NULL, denominator_squares TEXT NOT NULL, cross_products TEXT NOT NULL,
  smallest INTEGER NOT NULL, smallest_instance INTEGER NOT NULL, largest INTEGER NOT NULL,
  largest_instance INTEGER NOT NULL, histogram TEXT NOT NULL,
  PRIMARY KEY(chunk, policy, baseline)) WITHOUT ROWID;
CREATE TABLE path_sums(
  chunk INTEGER NOT NULL REFERENCES chunks, policy INTEGER NOT NULL REFERENCES policies,
  path INTEGER NOT NULL, horizon INTEGER NOT NULL, type INTEGER NOT NULL, until INTEGER NOT NULL,
  arrivals INTEGER NOT NULL, completed INTEGER NOT NULL, first_tokens INTEGER NOT NULL,
  arrival_time TEXT NOT NULL, completion_time TEXT NOT NULL, first_token_time TEXT NOT NULL,
  arrived_tokens INTEGER, completed_tokens INTEGER, iterations INTEGER, batch_prompts INTEGER,
  cancelled INTEGER, overflows INTEGER, peak_memory INTEGER,
  PRIMARY KEY(chunk, policy, path, horizon, type)) WITHOUT ROWID;
)";

} // namespace

FileKind kind_of(Database const& database)
{
    auto const objects = database.integer("SELECT count(*) FROM sqlite_master");
    auto const application = database.integer("PRAGMA application_id");
    auto const version = database.integer("PRAGMA user_version");
    if (objects == 0 && application == 0 && version == 0) return FileKind::empty;
    if (application == paths_application_id) return FileKind::paths;
    if (application != application_id || version < 1) return FileKind::foreign;
    if (version < schema_version) return FileKind::older;
    return version > schema_version ? FileKind::newer : FileKind::store;
}

void create_schema(Database const& database)
{
    database.run(tables);
    database.run("PRAGMA application_id = " + std::to_string(application_id));
    database.run("PRAGMA user_version = " + std::to_string(schema_version));
}

} // namespace crx
