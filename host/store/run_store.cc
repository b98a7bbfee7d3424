#include "host/store/run_store.hh"

#include "host/store/database_file.hh"
#include "host/store/identity_difference.hh"
#include "host/store/path_rows.hh"
#include "host/store/schema.hh"
#include "host/store/store_error.hh"
#include "host/store/tally_rows.hh"

namespace crx {

namespace {

namespace fs = std::filesystem;

/// Removes what a failed start left of a file that was not there before.
void remove_with_side_files(fs::path const& file)
{
    for (char const* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::error_code ignored;
        fs::remove(file.string() + suffix, ignored);
    }
}

bool is_absent_or_empty(fs::path const& file)
{
    std::error_code ignored;
    return !fs::exists(file, ignored) ||
           (fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) == 0);
}

} // namespace

RunStore::RunStore(fs::path file, StoreHeader const& header, RunInfo run)
    : file_(place_of_store(std::move(file))), run_info_(std::move(run)), lock_(file_),
      policies_(header.policies.size())
{
    auto const place = where_it_leads(file_); // beside which SQLite keeps its parts
    bool const fresh = is_absent_or_empty(place) && !fs::exists(place.string() + "-wal");
    try {
        open(header);
    } catch (DatabaseError const& error) {
        database_.reset();
        if (fresh) remove_with_side_files(place);
        fail_to_open(file_, error);
    }
}

void RunStore::open(StoreHeader const& header)
{
    database_.emplace(file_, Access::write);
    switch (kind_of(*database_)) {
    case FileKind::empty: create(header); break;
    case FileKind::store: continue_with(header); break;
    case FileKind::paths:
        throw InputError(file_.string() +
                         ": made by crx iterate of an earlier version; nothing was changed\n  " +
                         "choose another file with --db FILE");
    case FileKind::foreign:
        throw InputError(file_.string() + ": not a store of crx: it is a database of another " +
                         "program; nothing was changed\n  choose another file with --db FILE");
    case FileKind::older:
        throw InputError(file_.string() + ": made by an earlier version of crx, with other " +
                         "tables; nothing was changed\n  use that version, or choose another " +
                         "file with --db FILE");
    case FileKind::newer:
        throw InputError(file_.string() + ": made by a later version of crx; nothing was changed" +
                         "\n  use that version, or choose another file with --db FILE");
    }
}

void RunStore::create(StoreHeader const& header)
{
    // Chunks lost to a power cut are computed again, so NORMAL is enough; after the death of the
    // program alone nothing is lost.
    database_->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    Transaction all(*database_, Transaction::Kind::write);
    create_schema(*database_);
    write_header(*database_, header);
    all.commit();
}

void RunStore::continue_with(StoreHeader const& header)
{
    auto const there = read_header(*database_);
    auto const difference = describe_difference(there.identity, header.identity);
    if (!difference.empty())
        throw InputError(file_.string() + ": holds another experiment; nothing was changed\n" +
                         difference + "\n  choose another file with --db FILE, or put these back");
    for (auto& cell : read_cells(*database_)) {
        auto key = std::pair(cell.sweep, coordinates_text(cell.coordinates));
        cells_.emplace(std::move(key), std::move(cell));
    }
    database_->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    Transaction all(*database_, Transaction::Kind::write);
    update_header(*database_, header);
    all.commit();
}

std::vector<std::int64_t> RunStore::ensure_cells(std::vector<PlannedCell> const& planned)
{
    std::vector<std::int64_t> indices;
    std::map<std::pair<std::string, std::string>, StoredCell> added;
    try {
        Transaction all(*database_, Transaction::Kind::write);
        for (auto const& cell : planned) {
            auto const key = std::pair(cell.sweep, coordinates_text(cell.coordinates));
            auto const found = cells_.find(key);
            if (found == cells_.end()) {
                auto const index = static_cast<std::int64_t>(cells_.size() + added.size());
                StoredCell stored{index,           cell.sweep,    cell.coordinates,
                                  cell.parameters, cell.identity, cell.left_out};
                insert_cell(*database_, stored);
                added.emplace(key, std::move(stored));
                indices.push_back(index);
                continue;
            }
            auto const difference = describe_difference(found->second.identity, cell.identity);
            if (!difference.empty())
                throw InputError(file_.string() + ": holds other results of sweep " + cell.sweep +
                                 " at " + key.second + "; nothing was changed\n" + difference +
                                 "\n  choose another file with --db FILE, or put these back");
            indices.push_back(found->second.index);
        }
        all.commit();
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    }
    cells_.merge(added);
    return indices;
}

std::map<std::int64_t, std::vector<InstanceRange>> RunStore::covered() const
{
    std::map<std::int64_t, std::vector<InstanceRange>> ranges;
    auto row = database_->prepare("SELECT cell, first, count FROM chunks ORDER BY cell, first");
    while (row.step()) ranges[row.integer(0)].push_back({row.integer(1), row.integer(2)});
    return ranges;
}

void RunStore::ensure_run()
{
    if (run_ != 0) return;
    database_
        ->prepare("INSERT INTO runs(started, version, commit_id, build_type, backend, device) "
                  "VALUES (strftime('%Y-%m-%dT%H:%M:%SZ'),?,?,?,?,?)")
        .bind(std::string_view(run_info_.version))
        .bind(std::string_view(run_info_.commit))
        .bind(std::string_view(run_info_.build_type))
        .bind(std::string_view(run_info_.backend))
        .bind(std::string_view(run_info_.device))
        .run();
}

void RunStore::add_chunk(std::int64_t cell, InstanceRange range, Tally const& tally,
                         std::vector<std::string> const& engines)
{
    CRX_EXPECT(tally.size() == policies_);
    add(cell, range, [&](std::int64_t chunk) { insert_tally(*database_, chunk, tally, engines); });
}

void RunStore::add_paths(std::int64_t cell, InstanceRange range, PathSums const& sums)
{
    CRX_EXPECT(sums.size() == policies_);
    add(cell, range, [&](std::int64_t chunk) { insert_paths(*database_, chunk, sums); });
}

template <class Insert>
void RunStore::add(std::int64_t cell, InstanceRange range, Insert insert)
{
    CRX_EXPECT(range.first >= 0 && range.count > 0);
    try {
        Transaction all(*database_, Transaction::Kind::write);
        auto overlap = database_->prepare("SELECT count(*) FROM chunks WHERE cell = ? AND "
                                          "first < ? AND first + count > ?");
        overlap.bind(cell).bind(range.first + range.count).bind(range.first).step();
        if (overlap.integer(0) != 0)
            throw RunError(file_.string() + ": another program added the same instances");
        overlap.reset();
        ensure_run();
        auto const run = run_ != 0 ? run_ : database_->integer("SELECT last_insert_rowid()");
        database_->prepare("INSERT INTO chunks(cell, first, count, run) VALUES (?,?,?,?)")
            .bind(cell)
            .bind(range.first)
            .bind(range.count)
            .bind(run)
            .run();
        insert(database_->integer("SELECT last_insert_rowid()"));
        all.commit();
        run_ = run;
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    }
}

Tally RunStore::tally(std::int64_t cell) const
{
    try {
        return read_tally(*database_, policies_, cell);
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    }
}

PathSums RunStore::paths(std::int64_t cell) const
{
    try {
        return read_paths(*database_, policies_, cell);
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    }
}

std::vector<std::string> RunStore::other_programs() const
{
    std::vector<std::string> programs;
    auto row = database_->prepare("SELECT DISTINCT version, commit_id, build_type FROM runs "
                                  "WHERE version <> ? OR commit_id <> ? OR build_type <> ?");
    row.bind(std::string_view(run_info_.version))
        .bind(std::string_view(run_info_.commit))
        .bind(std::string_view(run_info_.build_type));
    while (row.step())
        programs.push_back(row.text(0) + " (" + row.text(1) + ", " + row.text(2) + ")");
    return programs;
}

void RunStore::limit_pages(std::int64_t pages)
{
    database_->run("PRAGMA max_page_count = " + std::to_string(pages));
}

} // namespace crx
