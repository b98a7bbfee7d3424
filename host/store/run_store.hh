#pragma once

#include "host/experiment/paths.hh"
#include "host/store/extension/coverage.hh"
#include "host/store/extension/part_rows.hh"
#include "host/store/file/file_system.hh"
#include "host/store/file/writer_lock.hh"
#include "host/store/store_header.hh"
#include "host/store/tables/cell_rows.hh"

#include <chrono>
#include <optional>
#include <set>

namespace crx {

/// Who computes: kept with every chunk, part of no identity. `device` is the accelerator's name, or
/// the processor's.
struct RunInfo
{
    std::string version, commit, build_type, backend, device;
};

/// What to do with a store that is damaged.
enum class OnDamage
{
    refuse,
    redo ///< go on with what is whole; the damaged file is kept beside the store
};

/// A store that is being added to (docs/store.md). Not for several threads at once.
///
/// Everything is kept or nothing: each function is one transaction. Every failure leaves the file
/// as it was before the call.
class RunStore
{
  public:
    /// Makes the file, or continues one of the same identity. Throws InputError where the file is
    /// something else, belongs to another experiment (the difference is shown) or is being written
    /// by another program, and RunError where the disk fails; then nothing was changed.
    RunStore(std::filesystem::path file, StoreHeader const& header, RunInfo run,
             OnDamage on_damage = OnDamage::refuse);
    /// Leaves one file alone in its place, where nobody reads it at the moment.
    ~RunStore();

    std::filesystem::path const& file() const { return file_; }
    /// Where the damaged file is kept whose whole parts this store began with; empty: none.
    std::filesystem::path const& damaged_file() const { return damaged_file_; }

    /// Index of each cell, which is added if it is not there yet, in the order given. Throws
    /// InputError if one is there with another identity. Cells that were put aside come back.
    std::vector<std::int64_t> ensure_cells(std::vector<PlannedCell> const& cells);
    /// The same with the indices that cells get which are not there yet: those that they have in a
    /// store of which this one is a shard. Contract: no other cell has one of them.
    void ensure_cells_as(std::vector<PlannedCell> const& cells,
                         std::vector<std::int64_t> const& indices);

    /// Instances in the sums, by cell.
    std::map<std::int64_t, Coverage> covered() const;

    /// Adds instances to a cell. Throws RunError if the file cannot take them or already has one
    /// of them: none is ever summed twice. `engines`: names of what ran each policy; empty: not
    /// known. `holdings`: which of the sums are new; null: all.
    void add_chunk(std::int64_t cell, InstanceRange range, Tally const& tally,
                   std::vector<std::string> const& engines = {},
                   Holdings const* holdings = nullptr);
    /// The same of the iteration model.
    void add_paths(std::int64_t cell, InstanceRange range, PathSums const& sums,
                   Holdings const* holdings = nullptr);

    /// A cell's sums over all its instances.
    Tally tally(std::int64_t cell) const;
    /// A cell's paths in the iteration model.
    PathSums paths(std::int64_t cell) const;

    /// "version (commit, build type)" of each other program that chunks here come from.
    std::vector<std::string> other_programs() const;

    /// Most pages the file may grow to, for tests of a full disk.
    void limit_pages(std::int64_t pages);

  private:
    /// A file that SQLite cannot read is put aside on request, and all is run again.
    void open_or_put_aside(StoreHeader const& header, OnDamage on_damage);
    void open(StoreHeader const& header, OnDamage on_damage);
    void create(StoreHeader const& header);
    void continue_with(StoreHeader const& header, OnDamage on_damage);
    void expect_shard(StoreHeader const& there, StoreHeader const& here) const;
    template <class Index>
    std::vector<std::int64_t> ensure(std::vector<PlannedCell> const& cells, Index index_of_new);
    void choose_journal();
    std::int64_t ensure_run();
    void keep_time_spent(std::int64_t run) const;
    bool is_in_place() const;
    void expect_in_place() const;
    void expect_new(std::int64_t cell, InstanceRange range, Holdings const& holdings) const;
    template <class Insert>
    void add(std::int64_t cell, InstanceRange range, Holdings const& holdings, Insert insert);
    template <class Use>
    void each_chunk(std::int64_t cell, Use use) const;

    std::filesystem::path file_;
    FileNumber number_; ///< of the file that is open
    RunInfo run_info_;
    WriterLock lock_;
    std::optional<Database> database_;
    std::size_t policies_;
    Holdings everything_;
    std::vector<std::string> baselines_;
    mutable std::optional<Parts> parts_;
    std::int64_t run_ = 0; ///< row of runs; 0 before the first chunk
    std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
    std::map<std::pair<std::string, std::string>, StoredCell> cells_; ///< by sweep and coordinates
    std::set<std::int64_t> indices_;                                  ///< of these cells
    std::filesystem::path damaged_file_;
};

} // namespace crx
