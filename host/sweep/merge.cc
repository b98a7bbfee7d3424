#include "host/sweep/merge.hh"

#include "host/error.hh"
#include "host/store/file/database_file.hh"
#include "host/store/identity_difference.hh"
#include "host/store/open_store.hh"
#include "host/store/store_error.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/merge_output.hh"
#include "host/sweep/merged_ranges.hh"

#include <exception>
#include <fmt/core.h>
#include <tuple>

namespace crx {

namespace {

namespace fs = std::filesystem;

class Merge
{
  public:
    Merge(fs::path const& output, std::function<bool()> const& stop_asked)
        : output_(output), stop_asked_(stop_asked)
    {
    }

    void add(fs::path const& file)
    {
        if (!places_.insert(where_it_leads(file)).second)
            throw InputError(file.string() + ": is named twice; nothing was merged");
        bool begun = false;
        std::exception_ptr failure; // which is not the fault of this store
        with_store(file, [&](Database const& database) {
            if (begun)
                throw InputError(file.string() + ": another program is writing to it; nothing "
                                                 "was merged\n  wait for its end");
            begun = true;
            failure = add_all(file, database);
        });
        if (failure) std::rethrow_exception(failure);
        ++summary_.stores;
    }

    MergeSummary finish()
    {
        ranges_.expect_whole();
        expect_all_cells();
        output_.finish();
        summary_.programs.assign(programs_.begin(), programs_.end());
        return std::move(summary_);
    }

  private:
    /// Null: all was added. Throws what is wrong with the store itself.
    std::exception_ptr add_all(fs::path const& file, Database const& database)
    {
        auto const header = read_header_of(file, database);
        std::exception_ptr failure;
        auto const attempt = [&](auto const& step) {
            try {
                if (!failure) step();
            } catch (...) {
                failure = std::current_exception();
            }
        };
        attempt([&] { begin(header); });
        std::map<std::int64_t, StoreState::Key> cells;
        std::map<std::int64_t, std::int64_t> runs; // by the number in this store
        auto const parts = inspect(database, [&](ChunkRow const& chunk, ChunkSums&& sums) {
            attempt([&] {
                if (cells.empty()) add_cells(file, database, cells);
                if (runs.count(chunk.run) == 0)
                    runs.emplace(chunk.run, add_run(database, chunk.run));
                add_chunk(file, cells.at(chunk.cell), runs.at(chunk.run), chunk, sums);
            });
        });
        if (!parts.damage.empty()) throw DamagedStore(parts.damage);
        attempt([&] {
            if (cells.empty()) add_cells(file, database, cells);
            output_.end_store();
        });
        return failure;
    }

    void begin(StoreHeader const& header)
    {
        output_.begin_store();
        // Where text and folder differ the same ones are taken whatever the order of stores.
        auto key = std::tuple(!header.shard.empty(), header.text, header.folder);
        if (header_ && key >= header_key_) return;
        output_.set_header(header);
        header_key_ = std::move(key);
        header_ = header;
    }

    void add_chunk(fs::path const& file, StoreState::Key const& cell, std::int64_t run,
                   ChunkRow const& chunk, ChunkSums const& sums)
    {
        if (stop_asked_()) throw Stopped(InterruptGuard::stopped() + "; nothing was merged");
        ranges_.add(cell, {chunk.first, chunk.count}, *sums.holdings, file);
        output_.add_chunk(cells_.at(cell).index, run, chunk, sums);
        ++summary_.chunks;
        summary_.instances += chunk.count;
    }

    StoreHeader read_header_of(fs::path const& file, Database const& database)
    {
        auto const header = read_whole_header(database);
        if (header_) {
            auto const difference = describe_difference(header_->identity, header.identity);
            if (!difference.empty())
                throw InputError(fmt::format("{}: is of another experiment than {}; nothing was "
                                             "merged\n{}",
                                             file.string(), first_file_.string(), difference));
        } else {
            first_file_ = file;
        }
        if (!header.shard.empty()) ranges_.add_shard(parse_shard_record(header.shard), file);
        return header;
    }

    /// Notes which cells the store has; those that are new become cells of the output.
    void add_cells(fs::path const& file, Database const& database,
                   std::map<std::int64_t, StoreState::Key>& keys)
    {
        auto row = database.prepare(
            fmt::format("SELECT {} FROM cells ORDER BY cell", sealed_cells.columns));
        while (row.step()) {
            auto const cell = read_cell(row);
            StoreState::Key const key{cell.sweep, coordinates_text(cell.coordinates)};
            keys.emplace(cell.index, key);
            auto const [there, is_new] = cells_.try_emplace(key, Cell{cell.index, cell.identity});
            if (is_new) {
                auto const [taken, is_free] = indices_.try_emplace(cell.index, key);
                if (!is_free)
                    throw InputError(fmt::format(
                        "{}: its cell {} is {} {}, and {} {} in another store; nothing was merged"
                        "\n  shards of one round have the same --base",
                        file.string(), cell.index, key.first, key.second, taken->second.first,
                        taken->second.second));
                output_.add_cell(cell);
                ++summary_.cells;
                continue;
            }
            if (there->second.index < 0 && cell.index >= 0) { // --extend had put it aside
                output_.replace(there->second.index, cell);
                indices_.erase(there->second.index);
                indices_.emplace(cell.index, key);
                there->second.index = cell.index;
            }
            bool const same_place = cell.index < 0 || there->second.index == cell.index;
            auto const difference = describe_difference(there->second.identity, cell.identity);
            if (!difference.empty() || !same_place)
                throw InputError(fmt::format(
                    "{}: its cell {}, {} {}, is not as in another store; nothing was merged{}{}",
                    file.string(), cell.index, key.first, key.second,
                    difference.empty() ? "" : "\n", difference));
        }
    }

    std::int64_t add_run(Database const& database, std::int64_t run)
    {
        auto row = database.prepare(std::string("SELECT ") + MergeOutput::run_columns +
                                    " FROM runs WHERE run = ?");
        row.bind(run);
        if (!row.step()) throw std::invalid_argument("a run is missing");
        programs_.insert(fmt::format("{} ({}, {})", row.text(1), row.text(2), row.text(3)));
        return output_.add_run(row);
    }

    /// Cells are numbered through; numbers that lack are those of a round before.
    void expect_all_cells() const
    {
        std::int64_t next = 0;
        for (auto const& [index, key] : indices_) {
            if (index < 0) continue; // put aside by --extend
            if (index != next)
                throw InputError(fmt::format("cells {} to {} are in none of the stores; nothing "
                                             "was merged\n  the merged store of the rounds before "
                                             "(--base) belongs to them",
                                             next, index - 1));
            ++next;
        }
    }

    struct Cell
    {
        std::int64_t index;
        std::string identity;
    };

    MergeOutput output_;
    std::function<bool()> const& stop_asked_;
    MergedRanges ranges_;
    std::set<fs::path> places_;
    std::optional<StoreHeader> header_; ///< that of the output
    std::tuple<bool, std::string, std::string> header_key_;
    fs::path first_file_;
    std::map<StoreState::Key, Cell> cells_;
    std::map<std::int64_t, StoreState::Key> indices_;
    std::set<std::string> programs_;
    MergeSummary summary_;
};

} // namespace

MergeSummary merge_stores(std::vector<fs::path> const& stores, fs::path const& output,
                          std::function<bool()> const& stop_asked)
{
    try {
        Merge merge(output, stop_asked);
        for (auto const& store : stores) merge.add(store);
        return merge.finish();
    } catch (DatabaseError const& error) {
        throw RunError(explain(output, error));
    }
}

} // namespace crx
