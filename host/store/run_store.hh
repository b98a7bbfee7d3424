#pragma once

#include "host/experiment/paths.hh"
#include "host/store/database.hh"
#include "host/store/place.hh"
#include "host/store/store_reader.hh"
#include "host/store/sums_of_keys.hh"
#include "kernels/model/tally.cuh"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace crx {

/// Who computes: kept with every chunk, part of no key. `device` is the accelerator's name, or the
/// processor's.
struct RunInfo
{
    std::string version, commit, build_type, backend, device;
};

/// A store that is being added to (docs/store.md).
///
/// Chunks that end within half a second of each other are one commit; what was not committed is
/// lost with the program. A commit is whole or not there at all. Every failure leaves the file as
/// it was after the commit before.
class RunStore
{
  public:
    /// Makes the file, or goes on with it for this experiment: cells of another experiment that
    /// used it are no longer listed, and their sums stay. What is damaged is removed and said, to
    /// be run again. Throws InputError where the file is something else, holds a shard of another
    /// round or is being written by another program, and RunError where the disk fails.
    RunStore(std::filesystem::path file, StoreHeader const& header, RunInfo run);
    RunStore(RunStore const&) = delete;
    /// Commits, and says on standard error where that fails.
    ~RunStore();

    std::filesystem::path const& file() const { return file_; }
    /// What a user should know of what was there: damage, cells of another experiment, a line each.
    std::vector<std::string> const& notes() const { return notes_; }

    /// Index of each cell, which is added if it is not there yet, in the order given. The same with
    /// the indices that new cells get: those that they have in a store of which this one is a
    /// shard; contract: no other cell has one of them.
    std::vector<std::int64_t> ensure_cells(std::vector<PlannedCell> const& cells);
    void ensure_cells_as(std::vector<PlannedCell> const& cells,
                         std::vector<std::int64_t> const& indices);

    std::vector<std::int64_t> cells() const; ///< their indices
    /// Instances of a cell whose sums are there, or will be with the next commit.
    RangesOfSums ranges(std::int64_t cell) const;

    /// Adds instances to a cell: of the policies that have run, the sums that are not there yet.
    /// `engines`: names of what ran each policy; empty: not known. Throws RunError where a commit
    /// failed, InputError where some of these instances alone are there.
    void add_chunk(std::int64_t cell, InstanceRange range, Tally const& tally,
                   std::vector<std::string> const& engines = {});
    /// The same of the iteration model.
    void add_paths(std::int64_t cell, InstanceRange range, PathSums const& sums,
                   PathMeasures const& measures = {});
    /// Adds a row of another store as it is; false: all of it is there. Throws as add_chunk does.
    bool add_row(SumsRow row, StoredRun const& run);
    /// Commits what is not committed yet. Throws RunError.
    void commit();
    /// Instances, summed over chunks, of which a failed commit kept nothing.
    std::int64_t lost() const { return lost_; }

    /// A cell's sums over all its instances.
    Tally tally(std::int64_t cell) const;
    /// A cell's paths in the iteration model.
    PathSums paths(std::int64_t cell) const;

    /// "version (commit, build type)" of each other program that chunks here come from.
    std::vector<std::string> other_programs() const;

    /// Most pages the file may grow to, for tests of a full disk.
    void limit_pages(std::int64_t pages);

  private:
    struct PendingRow
    {
        SumsKey key;
        std::int64_t first;
    };

    void open();
    void use_experiment(StoreParts const& parts);
    void note_other(StoreHeader const& there);
    void expect_shard(StoreHeader const& there) const;
    std::vector<std::int64_t>
    ensure(std::vector<PlannedCell> const& planned,
           std::function<std::int64_t(std::size_t place)> const& index_of_new);
    void add(std::int64_t cell, InstanceRange range,
             std::function<void(std::size_t policy, PolicyKeys const& keys)> const& add_policy);
    bool pend(SumsRow row);
    void expect_usable() const;
    void write_pending();
    void commit_when_due(std::stop_token const& stop);
    [[noreturn]] void fail(SQLite::Exception const& error);
    template <class Use>
    void in_transaction(Use use);
    std::string sums_of(SumsRow const& held) const;

    std::filesystem::path file_;
    RunInfo run_info_;
    WriterLock lock_;
    mutable std::optional<SQLite::Database> database_;
    FileState state_; ///< of the file that is open
    StoreHeader header_;
    std::vector<std::string> notes_;
    std::vector<std::optional<BaselineKind>> baselines_; ///< by place in the header

    std::map<std::pair<std::string, std::string>, StoredCell> by_place_; ///< sweep, coordinates
    std::map<std::int64_t, StoredCell const*> cells_;                    ///< by index
    SumsOfKeys held_;                          ///< without the sums of those that are committed
    std::map<std::int64_t, StoredRun> runs_;   ///< by number
    std::vector<StoredRun> new_runs_;          ///< of other stores, not committed yet
    std::int64_t run_ = 0;                     ///< number of this one; 0: it has none yet
    std::optional<std::int64_t> data_version_; ///< it changes where another program writes

    mutable std::mutex mutex_; ///< of all above, once the thread runs
    std::vector<PendingRow> pending_;
    std::int64_t pending_instances_ = 0, lost_ = 0;
    std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point oldest_; ///< of pending_
    std::exception_ptr failure_;                   ///< of a commit
    std::condition_variable_any changed_;
    std::jthread committer_; ///< commits what waits while no chunk ends
};

/// Removes all sums that no cell of a store's experiment at hand asks for; how many chunks. Throws
/// InputError where the store is damaged, and as RunStore does.
std::int64_t prune_store(std::filesystem::path const& store);

} // namespace crx
