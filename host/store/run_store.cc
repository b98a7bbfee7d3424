#include "host/store/run_store.hh"

#include "host/store/database_file.hh"
#include "host/store/file_system.hh"
#include "host/store/identity_difference.hh"
#include "host/store/integrity.hh"
#include "host/store/path_rows.hh"
#include "host/store/salvage.hh"
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

RunStore::RunStore(fs::path file, StoreHeader const& header, RunInfo run, OnDamage on_damage)
    : file_(place_of_store(std::move(file))), run_info_(std::move(run)), lock_(file_),
      policies_(header.policies.size())
{
    auto const place = where_it_leads(file_); // beside which SQLite keeps its parts
    bool const fresh = is_absent_or_empty(place) && !fs::exists(place.string() + "-wal");
    try {
        open(header, on_damage);
    } catch (DatabaseError const& error) {
        database_.reset();
        if (fresh) remove_with_side_files(place);
        fail_to_open(file_, error);
    }
}

RunStore::~RunStore()
{
    if (!database_) return;
    try {
        database_->run("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
    } catch (DatabaseError const&) {
        // Somebody reads: the log stays, and with it everything that is in it.
    }
}

void RunStore::open(StoreHeader const& header, OnDamage on_damage)
{
    database_.emplace(file_, Access::write);
    switch (kind_of(*database_)) {
    case FileKind::empty: create(header); break;
    case FileKind::store: continue_with(header, on_damage); break;
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

/// A log on local disks: others read meanwhile, and chunks lost to a power cut are computed again,
/// so NORMAL is enough; after the death of the program alone nothing is lost. Elsewhere a journal,
/// which needs no memory shared by machines.
void RunStore::choose_journal()
{
    database_->run(is_on_local_disk(where_it_leads(file_).parent_path())
                       ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"
                       : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL");
}

void RunStore::create(StoreHeader const& header)
{
    choose_journal();
    Transaction all(*database_, Transaction::Kind::write);
    create_schema(*database_);
    write_header(*database_, header);
    all.commit();
}

void RunStore::continue_with(StoreHeader const& header, OnDamage on_damage)
{
    auto parts = inspect(*database_);
    auto const difference =
        parts.header ? describe_difference(parts.header->identity, header.identity) : "";
    if (!difference.empty())
        throw InputError(file_.string() + ": holds another experiment; nothing was changed\n" +
                         difference + "\n  choose another file with --db FILE, or put these back");
    if (parts.damage.empty()) inspect_structure(*database_, parts.damage);
    if (!parts.damage.empty()) {
        if (on_damage == OnDamage::refuse)
            throw InputError(file_.string() + ": " + DamagedStore(parts.damage).what() + "\n  " +
                             how_to_mend(file_));
        database_.reset();
        damaged_file_ = keep_whole_parts(where_it_leads(file_), header);
        database_.emplace(file_, Access::write);
        parts = inspect(*database_);
    }
    for (auto& cell : parts.cells) {
        indices_.insert(cell.index);
        auto key = std::pair(cell.sweep, coordinates_text(cell.coordinates));
        cells_.emplace(std::move(key), std::move(cell));
    }
    choose_journal();
    Transaction all(*database_, Transaction::Kind::write);
    update_header(*database_, header);
    all.commit();
}

std::vector<std::int64_t> RunStore::ensure_cells(std::vector<PlannedCell> const& planned)
{
    std::vector<std::int64_t> indices;
    std::map<std::pair<std::string, std::string>, StoredCell> added;
    auto taken = indices_;
    std::int64_t index = 0; // the lowest that is free; one of a damaged cell is given again
    try {
        Transaction all(*database_, Transaction::Kind::write);
        for (auto const& cell : planned) {
            auto const key = std::pair(cell.sweep, coordinates_text(cell.coordinates));
            auto const found = cells_.find(key);
            if (found == cells_.end()) {
                while (!taken.insert(index).second) ++index;
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
    indices_ = std::move(taken);
    return indices;
}

std::map<std::int64_t, std::vector<InstanceRange>> RunStore::covered() const
{
    std::map<std::int64_t, std::vector<InstanceRange>> ranges;
    for (auto const& chunk : list_chunks(*database_))
        ranges[chunk.cell].push_back({chunk.first, chunk.count});
    return ranges;
}

std::int64_t RunStore::ensure_run()
{
    if (run_ != 0) return run_;
    database_
        ->prepare("INSERT INTO runs(started, version, commit_id, build_type, backend, device, "
                  "checksum) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ'),?,?,?,?,?,'')")
        .bind(std::string_view(run_info_.version))
        .bind(std::string_view(run_info_.commit))
        .bind(std::string_view(run_info_.build_type))
        .bind(std::string_view(run_info_.backend))
        .bind(std::string_view(run_info_.device))
        .run();
    auto const run = database_->integer("SELECT last_insert_rowid()");
    seal_row(*database_, sealed_runs, run);
    return run;
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
        auto const run = ensure_run();
        database_
            ->prepare("INSERT INTO chunks(cell, first, count, run, checksum) "
                      "VALUES (?,?,?,?,'')")
            .bind(cell)
            .bind(range.first)
            .bind(range.count)
            .bind(run)
            .run();
        auto const chunk = database_->integer("SELECT last_insert_rowid()");
        insert(chunk);
        seal_chunk(*database_, chunk);
        all.commit();
        run_ = run;
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    }
}

template <class Use>
void RunStore::each_chunk(std::int64_t cell, Use use) const
{
    try {
        ChunkReader reader(*database_, policies_);
        for (auto const& chunk : list_chunks(*database_, cell)) use(reader.read(chunk));
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    } catch (std::invalid_argument const& error) {
        throw RunError(file_.string() + ": the store is damaged: " + error.what() + "\n  " +
                       how_to_mend(file_));
    }
}

Tally RunStore::tally(std::int64_t cell) const
{
    Tally all(policies_);
    each_chunk(cell, [&](ChunkSums const& chunk) {
        for (std::size_t p = 0; p < policies_; ++p) all[p].add(chunk.tally[p]);
    });
    return all;
}

PathSums RunStore::paths(std::int64_t cell) const
{
    PathSums all(policies_);
    each_chunk(cell, [&](ChunkSums const& chunk) {
        for (std::size_t p = 0; p < policies_; ++p)
            all[p].insert(all[p].end(), chunk.paths[p].begin(), chunk.paths[p].end());
    });
    return all;
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
