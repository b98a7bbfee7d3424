#include "host/store/run_store.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/say.hh"
#include "host/store/identity_difference.hh"
#include "host/store/journal.hh"
#include "host/store/shard_record.hh"
#include "host/store/sums_text.hh"
#include "kernels/base/counted.hh"
#include "kernels/base/seconds_since.hh"

#include <algorithm>
#include <fmt/core.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds longest_wait{500}; ///< of a chunk for its commit

std::string now_text(SQLite::Database& database)
{
    return database.execAndGet("SELECT strftime('%Y-%m-%dT%H:%M:%SZ')").getString();
}

/// Every transaction changes the first page before others (host/store/journal.hh).
void touch_first_page(SQLite::Database& database)
{
    auto const last =
        static_cast<std::uint32_t>(database.execAndGet("PRAGMA user_version").getInt64());
    database.exec(fmt::format("PRAGMA user_version = {}", next_user_version(last)));
}

template <class Run>
std::string program_of(Run const& run)
{
    return fmt::format("{} ({}, {})", run.version, run.commit, run.build_type);
}

} // namespace

RunStore::RunStore(fs::path file, StoreHeader const& header, RunInfo run)
    : file_(place_of_store(std::move(file))), run_info_(std::move(run)), lock_(file_),
      header_(header), held_([this](SumsRow const& row) { return sums_of(row); })
{
    for (auto const& id : header.baselines) baselines_.push_back(baseline_named(id));
    auto const place = where_it_leads(file_);
    bool const is_fresh = kind_of(place) == FileKind::absent;
    try {
        database_.emplace(open_to_write(file_));
        state_ = state_of(place);
        open();
    } catch (SQLite::Exception const& error) {
        throw InputError(explain(file_, error, *database_));
    } catch (...) { // a file that was not there before is not there after a failed start
        database_.reset();
        std::error_code ignored;
        if (is_fresh) fs::remove(place, ignored);
        throw;
    }
    committer_ = std::jthread([this](std::stop_token const& stop) { commit_when_due(stop); });
}

RunStore::~RunStore()
{
    committer_.request_stop();
    committer_.join();
    try {
        if (!failure_) write_pending();
    } catch (std::exception const& error) {
        say(error.what());
    }
}

void RunStore::open()
{
    auto parts = read_parts(*database_, [&](StoreParts const&, SumsRow&& row) {
        held_.add({row.number, row.key, row.first, row.count});
    });
    if (auto const damage = damage_of_structure(parts.damage); !damage.empty())
        throw InputError(file_.string() + ": the store is damaged: " + damage + "\n  " +
                         std::string(how_to_recover));
    runs_ = std::move(parts.runs);
    if (parts.has_header()) expect_shard(parts.header());
    if (!parts.damaged_rows.empty())
        for (auto const& damage : parts.damage)
            notes_.push_back(file_.string() + ": made again: " + damage.what);
    in_transaction([&] {
        for (auto const& [rows, number] : parts.damaged_rows)
            database_->exec(
                fmt::format("DELETE FROM {} WHERE {} = {}", rows.table, rows.key, number));
        use_experiment(parts);
    });
}

void RunStore::expect_shard(StoreHeader const& there) const
{
    auto const& here = header_;
    if (there.shard == here.shard) return;
    auto const refuse = [&](std::string const& why) {
        throw InputError(file_.string() + ": " + why + "; nothing was changed\n  choose another " +
                         "file with --db FILE");
    };
    if (there.shard.empty())
        refuse("holds the experiment as a whole, not " + shard_name(here.shard));
    if (here.shard.empty())
        refuse("holds " + shard_name(there.shard) +
               " alone, which --shard continues and crx merge joins with the others");
    refuse("holds " + shard_name(there.shard) + ", not " + shard_name(here.shard) +
           ", or one of another --base or [stop] (for more instances: crx merge, then --shard with "
           "--base)");
}

/// Says that the store was last used by another experiment; if by one of the same name, what
/// differs.
void RunStore::note_other(StoreHeader const& there)
{
    bool const named_so = there.name == header_.name;
    notes_.push_back(fmt::format(
        "{}: was last used by {}{} as of {}{}: what it has for this one counts, the rest stays "
        "until crx check --prune{}",
        file_.string(), named_so ? "another " : "", there.name, there.used,
        named_so ? "" : ", which is not this experiment",
        named_so ? "; they differ in\n" + describe_difference(there.identity, header_.identity)
                 : std::string()));
}

/// Cells stay listed where the experiment asks for the same; else they are listed anew.
void RunStore::use_experiment(StoreParts const& parts)
{
    bool const goes_on = parts.has_header() && parts.header().identity == header_.identity;
    if (goes_on) {
        for (auto const& cell : parts.cells) {
            auto const place = std::pair(cell.sweep, coordinates_text(cell.coordinates));
            cells_[cell.index] = &by_place_.emplace(place, cell).first->second;
        }
        auto const& there = parts.header();
        if (there.text == header_.text && there.folder == header_.folder &&
            there.overrides == header_.overrides)
            return;
    } else {
        database_->exec("DELETE FROM cells");
        if (parts.has_header()) note_other(parts.header());
    }
    header_.used = now_text(*database_);
    RowWriter(*database_, experiment_rows)
        .write(header_,
               database_->execAndGet("SELECT coalesce(max(experiment), 0) + 1 FROM experiments"));
}

std::vector<std::int64_t> RunStore::ensure_cells(std::vector<PlannedCell> const& planned)
{
    std::int64_t free = 0; // one of a damaged cell is given again
    std::set<std::int64_t> given;
    return ensure(planned, [&](std::size_t) {
        while (cells_.contains(free) || !given.insert(free).second) ++free;
        return free;
    });
}

void RunStore::ensure_cells_as(std::vector<PlannedCell> const& planned,
                               std::vector<std::int64_t> const& indices)
{
    CRX_EXPECT(planned.size() == indices.size());
    ensure(planned, [&](std::size_t place) { return indices[place]; });
}

std::vector<std::int64_t>
RunStore::ensure(std::vector<PlannedCell> const& planned,
                 std::function<std::int64_t(std::size_t)> const& index_of_new)
{
    std::lock_guard const lock(mutex_);
    expect_usable();
    std::vector<std::int64_t> indices;
    std::vector<StoredCell> changed;
    for (std::size_t k = 0; k < planned.size(); ++k) {
        auto const& cell = planned[k];
        auto const found = by_place_.find({cell.sweep, coordinates_text(cell.coordinates)});
        bool const is_new = found == by_place_.end();
        indices.push_back(is_new ? index_of_new(k) : found->second.index);
        if (!is_new && found->second.identity == cell.identity) continue;
        changed.push_back({indices.back(), cell.sweep, cell.coordinates, cell.parameters,
                           cell.identity, cell.left_out,
                           keys_of(cell.identity, header_.baselines)});
    }
    if (changed.empty()) return indices;
    in_transaction([&] {
        RowWriter rows(*database_, cell_rows);
        for (auto const& cell : changed) rows.write(cell);
    });
    for (auto& cell : changed) {
        auto const index = cell.index;
        auto const place = std::pair(cell.sweep, coordinates_text(cell.coordinates));
        cells_[index] = &(by_place_[place] = std::move(cell));
    }
    return indices;
}

std::vector<std::int64_t> RunStore::cells() const
{
    std::lock_guard const lock(mutex_);
    std::vector<std::int64_t> indices;
    for (auto const& [index, cell] : cells_) indices.push_back(index);
    return indices;
}

RangesOfSums RunStore::ranges(std::int64_t cell) const
{
    std::lock_guard const lock(mutex_);
    return held_.ranges(cells_.at(cell)->keys);
}

void RunStore::add_chunk(std::int64_t cell, InstanceRange range, Tally const& tally,
                         std::vector<std::string> const& engines)
{
    CRX_EXPECT(engines.empty() || engines.size() == tally.size());
    add(cell, range, [&](std::size_t p, PolicyKeys const& keys) {
        OutcomeSums const& own = tally[p].sums;
        if (own.count + own.unfinished == 0) return; // it has not run
        auto const engine = engines.empty() ? std::string() : engines[p];
        pend({new_row, keys.sums, range.first, range.count, run_, engine,
              to_text(own, tally[p].measures)});
        for (std::size_t b = 0; b < keys.ratios.size(); ++b) {
            if (!baselines_[b]) continue;
            auto const kind = static_cast<int>(*baselines_[b]);
            pend({new_row, keys.ratios[b], range.first, range.count, run_, engine,
                  to_text(tally[p].sums.ratio[kind], tally[p].histogram[kind])});
        }
    });
}

void RunStore::add_paths(std::int64_t cell, InstanceRange range, PathSums const& sums,
                         PathMeasures const& measures)
{
    add(cell, range, [&](std::size_t p, PolicyKeys const& keys) {
        if (!sums[p].empty())
            pend({new_row,
                  keys.sums,
                  range.first,
                  range.count,
                  run_,
                  {},
                  to_text(sums[p], measures.empty() ? std::vector<MeasureSums>{} : measures[p])});
    });
}

void RunStore::add(std::int64_t cell, InstanceRange range,
                   std::function<void(std::size_t, PolicyKeys const&)> const& add_policy)
{
    std::lock_guard const lock(mutex_);
    expect_usable();
    CRX_EXPECT(range.first >= 0 && range.count > 0);
    if (run_ == 0) {
        run_ = runs_.empty() ? 1 : runs_.rbegin()->first + 1;
        runs_[run_] = {run_,
                       now_text(*database_),
                       run_info_.version,
                       run_info_.commit,
                       run_info_.build_type,
                       run_info_.backend,
                       run_info_.device};
    }
    auto const& keys = cells_.at(cell)->keys;
    for (std::size_t p = 0; p < keys.size(); ++p) add_policy(p, keys[p]);
    pending_instances_ += range.count;
    changed_.notify_one();
}

bool RunStore::add_row(SumsRow row, StoredRun const& run)
{
    std::lock_guard const lock(mutex_);
    expect_usable();
    auto const same = [&](auto const& other) {
        return std::tie(other.second.started, other.second.commit, other.second.device) ==
                   std::tie(run.started, run.commit, run.device) &&
               program_of(other.second) == program_of(run);
    };
    auto found = std::ranges::find_if(runs_, same);
    if (found == runs_.end()) {
        auto const number = runs_.empty() ? 1 : runs_.rbegin()->first + 1;
        found = runs_.emplace(number, run).first;
        found->second.number = number;
        new_runs_.push_back(found->second);
    }
    row.number = new_row;
    row.run = found->first;
    bool const is_new = pend(std::move(row));
    changed_.notify_one();
    return is_new;
}

/// False: it is there. Two policies of one key give one row.
bool RunStore::pend(SumsRow row)
{
    PendingRow const place{row.key, row.first};
    auto const end = row.first + row.count;
    switch (held_.add(std::move(row))) {
    case SumsOfKeys::Added::yes: break;
    case SumsOfKeys::Added::no_covered: return false;
    case SumsOfKeys::Added::no_meets:
        throw InputError(fmt::format("{}: has some of the instances {} to {} already",
                                     file_.string(), place.first, end - 1));
    }
    if (pending_.empty()) oldest_ = std::chrono::steady_clock::now();
    pending_.push_back(place);
    return true;
}

void RunStore::expect_usable() const
{
    if (failure_) std::rethrow_exception(failure_);
}

void RunStore::commit()
{
    std::lock_guard const lock(mutex_);
    expect_usable();
    write_pending();
}

void RunStore::commit_when_due(std::stop_token const& stop)
{
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        changed_.wait(lock, stop, [&] { return !pending_.empty() && !failure_; });
        auto const due = oldest_ + longest_wait;
        changed_.wait_until(lock, stop, due, [&] { return pending_.empty(); });
        if (stop.stop_requested() || pending_.empty()) continue;
        try {
            write_pending();
        } catch (...) {
            // The next call of a function throws it.
        }
    }
}

void RunStore::write_pending()
{
    if (pending_.empty()) return;
    try {
        // Where the folder was moved or removed meanwhile, the name may be another store's now.
        if (!state_of(where_it_leads(file_)).is_file_of(state_))
            throw RunError(file_.string() + ": was moved or removed while it was being added to\n"
                                            "  where it was moved, it holds what was done until "
                                            "then");
        std::vector<std::int64_t> numbers;
        in_transaction([&] {
            RowWriter runs(*database_, run_rows);
            for (auto const& run : new_runs_) runs.write(run);
            if (run_ != 0) {
                runs_[run_].seconds = seconds_since(opened_);
                runs.write(runs_[run_]);
            }
            RowWriter rows(*database_, sums_rows);
            for (auto const& place : pending_)
                numbers.push_back(rows.write(*held_.find(place.key, place.first)));
        });
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            auto& row = *held_.find(pending_[k].key, pending_[k].first);
            row = {numbers[k], row.key, row.first, row.count};
        }
        new_runs_.clear();
        pending_.clear();
        pending_instances_ = 0;
    } catch (...) {
        failure_ = std::current_exception();
        lost_ = pending_instances_;
        throw;
    }
}

/// At the start most failures are of the place that was given.
void RunStore::fail(SQLite::Exception const& error)
{
    auto const text = explain(file_, error, *database_);
    if (committer_.joinable() || is_of_disk(error)) throw RunError(text);
    throw InputError(text);
}

template <class Use>
void RunStore::in_transaction(Use use)
{
    auto const expect_alone = [&] {
        auto const version = database_->execAndGet("PRAGMA data_version").getInt64();
        if (data_version_.value_or(version) != version)
            throw RunError(file_.string() + ": another program wrote to it meanwhile\n  the same "
                                            "command again goes on");
        data_version_ = version;
    };
    try {
        SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
        try {
            expect_alone();
            touch_first_page(*database_);
            use();
            all.commit();
        } catch (SQLite::Exception const& error) { // before a rollback changes what is known of it
            fail(error);
        }
    } catch (SQLite::Exception const& error) {
        fail(error);
    }
}

std::string RunStore::sums_of(SumsRow const& held) const
{
    SQLite::Statement row(*database_, select_one(sums_rows));
    row.bind(1, held.number);
    auto const sums = row.executeStep() ? read_sums(row) : std::nullopt;
    if (!sums || sums->key != held.key)
        throw RunError(fmt::format("{}: chunk {} was damaged meanwhile\n  {}", file_.string(),
                                   held.number, how_to_mend(file_)));
    return sums->sums;
}

Tally RunStore::tally(std::int64_t cell) const
{
    std::lock_guard const lock(mutex_);
    return held_.tally(cells_.at(cell)->keys, baselines_);
}

PathSums RunStore::paths(std::int64_t cell) const
{
    std::lock_guard const lock(mutex_);
    return held_.paths(cells_.at(cell)->keys);
}

std::vector<std::string> RunStore::other_programs() const
{
    std::set<std::string> programs;
    for (auto const& [number, run] : runs_) programs.insert(program_of(run));
    programs.erase(program_of(run_info_));
    return {programs.begin(), programs.end()};
}

void RunStore::limit_pages(std::int64_t pages)
{
    std::lock_guard const lock(mutex_);
    database_->exec(fmt::format("PRAGMA max_page_count = {}", pages));
}

std::int64_t prune_store(fs::path const& store)
{
    WriterLock const lock(place_of_store(store));
    std::vector<std::int64_t> orphans;
    read_whole_parts(
        store,
        [&](StoreParts const& parts, SumsRow&& row) {
            if (!parts.places.contains(row.key)) orphans.push_back(row.number);
        },
        [&] { orphans.clear(); });
    auto database = open_to_write(store);
    try {
        SQLite::Transaction all(database, SQLite::TransactionBehavior::IMMEDIATE);
        touch_first_page(database);
        SQLite::Statement remove(database, "DELETE FROM sums WHERE chunk = ?");
        for (auto const number : orphans) {
            remove.reset();
            remove.bind(1, number);
            remove.exec();
        }
        all.commit();
        if (!orphans.empty()) database.exec("VACUUM");
    } catch (SQLite::Exception const& error) {
        throw RunError(explain(store, error, database));
    }
    return static_cast<std::int64_t>(orphans.size());
}

} // namespace crx
