#include "host/store/run_store.hh"

#include "host/error.hh"
#include "host/store/extension/extension_check.hh"
#include "host/store/file/database_file.hh"
#include "host/store/identity_difference.hh"
#include "host/store/salvage.hh"
#include "host/store/shard_record.hh"
#include "host/store/store_error.hh"
#include "host/store/tables/integrity.hh"
#include "host/store/tables/path_rows.hh"
#include "host/store/tables/schema.hh"
#include "host/store/tables/tally_rows.hh"
#include "kernels/base/seconds_since.hh"

#include <sqlite3.h>

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
      policies_(header.policies.size()),
      everything_(Holdings::everything(policies_, header.baselines.size())),
      baselines_(header.baselines)
{
    auto const place = where_it_leads(file_); // beside which SQLite keeps its parts
    bool const fresh = is_absent_or_empty(place) && !fs::exists(place.string() + "-wal");
    try {
        open_or_put_aside(header, on_damage);
        number_ = number_of(place);
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
        if (is_in_place())
            database_->run("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
        else
            database_->leave_log(); // what has its name now may be another program's
    } catch (std::exception const&) {
        // Somebody reads, or memory is short: the log stays, and with it everything that is in it.
    }
}

void RunStore::open_or_put_aside(StoreHeader const& header, OnDamage on_damage)
{
    try {
        open(header, on_damage);
    } catch (DatabaseError const& error) {
        if (error.code != SQLITE_CORRUPT || on_damage == OnDamage::refuse) throw;
        parts_.reset();
        database_.reset();
        damaged_file_ = put_aside(where_it_leads(file_));
        open(header, on_damage);
    }
}

void RunStore::open(StoreHeader const& header, OnDamage on_damage)
{
    database_.emplace(file_, Access::write);
    parts_.emplace(*database_, header);
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
                       : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; "
                         "PRAGMA locking_mode = NORMAL");
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
                         difference + "\n  choose another file with --db FILE, or put these back" +
                         (difference_beyond_extension(*parts.header, header).empty()
                              ? "; --extend adds what is new to this store"
                              : ""));
    if (parts.header) expect_shard(*parts.header, header);
    if (parts.damage.empty()) inspect_structure(*database_, parts.damage);
    if (!parts.damage.empty()) {
        if (on_damage == OnDamage::refuse)
            throw InputError(file_.string() + ": " + DamagedStore(parts.damage).what() + "\n  " +
                             how_to_mend(file_));
        parts_.reset();
        database_.reset();
        damaged_file_ = keep_whole_parts(where_it_leads(file_), header);
        database_.emplace(file_, Access::write);
        parts_.emplace(*database_, header);
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

void RunStore::expect_shard(StoreHeader const& there, StoreHeader const& here) const
{
    if (there.shard == here.shard) return;
    auto const refuse = [&](std::string const& why) {
        throw InputError(file_.string() + ": " + why + "; nothing was changed\n  choose another " +
                         "file with --db FILE");
    };
    if (there.shard.empty())
        refuse("holds the experiment as a whole, not " + shard_name(here.shard));
    if (here.shard.empty())
        refuse("holds " + shard_name(there.shard) +
               " alone, which --shard continues and crx "
               "merge joins with the others");
    refuse("holds " + shard_name(there.shard) + ", not " + shard_name(here.shard) +
           ", or one of another --base or [stop] (for more instances: crx merge, then --shard with "
           "--base)");
}

std::vector<std::int64_t> RunStore::ensure_cells(std::vector<PlannedCell> const& planned)
{
    auto taken = indices_;
    std::int64_t free = 0; // the lowest that is free; one of a damaged cell is given again
    return ensure(planned, [&](std::size_t) {
        while (!taken.insert(free).second) ++free;
        return free;
    });
}

void RunStore::ensure_cells_as(std::vector<PlannedCell> const& planned,
                               std::vector<std::int64_t> const& indices)
{
    CRX_EXPECT(planned.size() == indices.size());
    ensure(planned, [&](std::size_t place) { return indices[place]; });
}

template <class Index>
std::vector<std::int64_t> RunStore::ensure(std::vector<PlannedCell> const& planned,
                                           Index index_of_new)
{
    std::vector<std::int64_t> indices;
    auto cells = cells_;
    auto taken = indices_;
    try {
        Transaction all(*database_, Transaction::Kind::write);
        for (std::size_t place = 0; place < planned.size(); ++place) {
            auto const& cell = planned[place];
            auto const key = std::pair(cell.sweep, coordinates_text(cell.coordinates));
            auto const found = cells.find(key);
            if (found == cells.end()) {
                StoredCell stored{index_of_new(place), cell.sweep,    cell.coordinates,
                                  cell.parameters,     cell.identity, cell.left_out};
                insert_cell(*database_, stored);
                taken.insert(stored.index);
                indices.push_back(stored.index);
                cells.emplace(key, std::move(stored));
                continue;
            }
            auto& there = found->second;
            auto const difference = describe_difference(there.identity, cell.identity);
            if (!difference.empty())
                throw InputError(file_.string() + ": holds other results of sweep " + cell.sweep +
                                 " at " + key.second + "; nothing was changed\n" + difference +
                                 "\n  choose another file with --db FILE, or put these back");
            if (auto const aside = there.index; aside < 0) {
                there.index = index_of_new(place);
                taken.insert(there.index);
                replace_cell(*database_, aside, there);
            }
            indices.push_back(there.index);
        }
        all.commit();
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    }
    cells_ = std::move(cells);
    indices_ = std::move(taken);
    return indices;
}

std::map<std::int64_t, Coverage> RunStore::covered() const
{
    std::map<std::int64_t, std::vector<HeldRange>> chunks;
    for (auto const& chunk : list_chunks(*database_))
        chunks[chunk.cell].push_back({{chunk.first, chunk.count}, &parts_->of(chunk.part)});
    std::map<std::int64_t, Coverage> covered;
    for (auto const& [cell, held] : chunks) covered.emplace(cell, coverage_of(held));
    return covered;
}

std::int64_t RunStore::ensure_run()
{
    if (run_ != 0) return run_;
    database_
        ->prepare("INSERT INTO runs(started, version, commit_id, build_type, backend, device, "
                  "milliseconds, checksum) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ'),?,?,?,?,?,0,'')")
        .bind(std::string_view(run_info_.version))
        .bind(std::string_view(run_info_.commit))
        .bind(std::string_view(run_info_.build_type))
        .bind(std::string_view(run_info_.backend))
        .bind(std::string_view(run_info_.device))
        .run();
    return database_->integer("SELECT last_insert_rowid()");
}

/// Writes how long the run has taken so far, and seals its row.
void RunStore::keep_time_spent(std::int64_t run) const
{
    auto const milliseconds = static_cast<std::int64_t>(1000 * seconds_since(opened_));
    database_->prepare("UPDATE runs SET milliseconds = max(milliseconds, ?) WHERE run = ?")
        .bind(milliseconds)
        .bind(run)
        .run();
    seal_row(*database_, sealed_runs, run);
}

void RunStore::add_chunk(std::int64_t cell, InstanceRange range, Tally const& tally,
                         std::vector<std::string> const& engines, Holdings const* holdings)
{
    CRX_EXPECT(tally.size() == policies_);
    auto const& what = holdings != nullptr ? *holdings : everything_;
    add(cell, range, what, [&](std::int64_t chunk) {
        insert_tally(*database_, chunk, tally, engines, what, baselines_);
    });
}

void RunStore::add_paths(std::int64_t cell, InstanceRange range, PathSums const& sums,
                         Holdings const* holdings)
{
    CRX_EXPECT(sums.size() == policies_);
    auto const& what = holdings != nullptr ? *holdings : everything_;
    add(cell, range, what,
        [&](std::int64_t chunk) { insert_paths(*database_, chunk, sums, what); });
}

bool RunStore::is_in_place() const { return number_of(where_it_leads(file_)) == number_; }

/// Where the folder was moved or removed meanwhile, what is written still goes to the old file.
void RunStore::expect_in_place() const
{
    if (!is_in_place())
        throw RunError(file_.string() +
                       ": was moved or removed while it was being added to\n  where "
                       "it was moved, it holds what was done until then");
}

void RunStore::expect_new(std::int64_t cell, InstanceRange range, Holdings const& holdings) const
{
    auto overlap = database_->prepare("SELECT part FROM chunks WHERE cell = ? AND first < ? AND "
                                      "first + count > ?");
    overlap.bind(cell).bind(range.first + range.count).bind(range.first);
    while (overlap.step())
        if (parts_->of(overlap.integer(0)).meets(holdings))
            throw RunError(file_.string() + ": another program added the same instances");
}

template <class Insert>
void RunStore::add(std::int64_t cell, InstanceRange range, Holdings const& holdings, Insert insert)
{
    CRX_EXPECT(range.first >= 0 && range.count > 0 && !holdings.is_empty());
    try {
        Transaction all(*database_, Transaction::Kind::write);
        expect_new(cell, range, holdings);
        auto const run = ensure_run();
        database_
            ->prepare("INSERT INTO chunks(cell, first, count, run, part, checksum) "
                      "VALUES (?,?,?,?,?,'')")
            .bind(cell)
            .bind(range.first)
            .bind(range.count)
            .bind(run)
            .bind(parts_->ensure(holdings))
            .run();
        auto const chunk = database_->integer("SELECT last_insert_rowid()");
        insert(chunk);
        seal_chunk(*database_, chunk);
        keep_time_spent(run);
        all.commit();
        run_ = run;
    } catch (DatabaseError const& error) {
        throw RunError(explain(file_, error));
    }
    expect_in_place();
}

template <class Use>
void RunStore::each_chunk(std::int64_t cell, Use use) const
{
    try {
        ChunkReader reader(*database_, *parts_);
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
