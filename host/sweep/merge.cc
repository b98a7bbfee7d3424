#include "host/sweep/merge.hh"

#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/store/identity_difference.hh"
#include "host/store/run_store.hh"
#include "host/store/shard_record.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/coverage.hh"
#include "host/sweep/interrupt.hh"

#include <cerrno>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

namespace crx {

namespace {

namespace fs = std::filesystem;

/// Where a cell is found: sweep, and coordinates as coordinates_text has them.
using Place = std::pair<std::string, std::string>;

Place place_of(std::string const& sweep, Coordinates const& coordinates)
{
    return {sweep, coordinates_text(coordinates)};
}

/// "alpha w=0.5, instances 17 to 99"
std::string text_of(std::string const& sweep, Coordinates const& coordinates, InstanceRange range)
{
    return fmt::format("{}, instances {} to {}", point_text(sweep, coordinates), range.first,
                       range.first + range.count - 1);
}

/// The store that a merge makes: under another name until it is whole, and gone where it never is.
class Output
{
  public:
    explicit Output(fs::path const& file) : file_(place_of_store(file)), lock_(file_)
    {
        std::error_code ignored;
        if (fs::exists(file_, ignored))
            throw InputError(file_.string() + ": is there already; nothing was merged\n  choose " +
                             "another file with -o DB, or remove it first");
        fresh_ = fmt::format("{}.merge-{}", where_it_leads(file_).string(), ::getpid());
    }
    Output(Output const&) = delete;
    ~Output()
    {
        store_.reset();
        std::error_code ignored;
        fs::remove(fresh_, ignored);
    }

    RunStore& store(StoreHeader const& header)
    {
        if (!store_) store_.emplace(fresh_, header, RunInfo{});
        return *store_;
    }

    /// Gives the file its name, which is on the disk when it returns.
    void finish()
    {
        store_->commit();
        store_.reset();
        auto const place = where_it_leads(file_);
        if (::rename(fresh_.c_str(), place.c_str()) != 0)
            throw RunError(file_.string() + ": cannot be made: " + std::strerror(errno));
        int const folder = ::open(place.parent_path().c_str(), O_RDONLY | O_DIRECTORY);
        if (folder < 0) return;
        (void)::fsync(folder);
        ::close(folder);
    }

  private:
    fs::path file_;
    WriterLock lock_;
    fs::path fresh_; ///< the name until it is whole
    std::optional<RunStore> store_;
};

/// One of the stores that are merged.
struct Input
{
    fs::path file;
    StoreHeader header;
    std::vector<StoredCell> cells;
    std::optional<ShardRecord> shard;
};

class Merge
{
  public:
    Merge(std::vector<fs::path> const& stores, std::function<bool()> const& stop_asked)
        : stop_asked_(stop_asked)
    {
        std::set<fs::path> places;
        for (auto const& store : stores)
            if (!places.insert(where_it_leads(store)).second)
                throw InputError(store.string() + ": is named twice; nothing was merged");
        for (auto const& store : stores) add_input(store);
    }

    MergeSummary into(fs::path const& output)
    {
        Output made(output);
        auto& store = made.store(header());
        std::vector<PlannedCell> planned;
        std::vector<std::int64_t> indices;
        for (auto const& [index, cell] : by_index_) {
            planned.push_back({cell->sweep,
                               cell->coordinates,
                               {},
                               {},
                               cell->identity,
                               cell->parameters,
                               cell->left_out});
            indices.push_back(index);
        }
        store.ensure_cells_as(planned, indices);
        for (auto const& input : inputs_) copy(input, store);
        for (auto const& input : inputs_) expect_done(input, store);
        expect_whole_rounds();
        expect_no_gaps(store);
        expect_all_cells();
        for (auto const& [index, cell] : by_index_) {
            ++summary_.cells;
            summary_.instances += total(coverage_of(store.ranges(index)).done);
        }
        made.finish();
        summary_.stores = static_cast<std::int64_t>(inputs_.size());
        summary_.programs.assign(programs_.begin(), programs_.end());
        return std::move(summary_);
    }

  private:
    void add_input(fs::path const& file)
    {
        Input input{file, {}, {}, {}};
        auto parts = read_whole_parts(
            file, [](StoreParts const&, SumsRow&&) {}, [] {});
        input.header = parts.header();
        input.cells = std::move(parts.cells);
        if (!input.header.shard.empty()) input.shard = parse_shard_record(input.header.shard);
        if (!inputs_.empty()) {
            auto const& first = inputs_.front();
            auto const difference =
                describe_difference(first.header.identity, input.header.identity);
            if (!difference.empty())
                throw InputError(fmt::format("{}: is of another experiment than {}; nothing was "
                                             "merged\n{}",
                                             file.string(), first.file.string(), difference));
        }
        inputs_.push_back(std::move(input));
        for (auto const& cell : inputs_.back().cells) add_cell(file, cell);
    }

    void add_cell(fs::path const& file, StoredCell const& cell)
    {
        auto const point = point_text(cell.sweep, cell.coordinates);
        auto const [there, is_new] =
            by_place_.try_emplace(place_of(cell.sweep, cell.coordinates), cell);
        auto const difference = describe_difference(there->second.identity, cell.identity);
        if (there->second.index != cell.index || !difference.empty())
            throw InputError(fmt::format("{}: its cell {}, {}, is not as in another store; nothing "
                                         "was merged{}{}",
                                         file.string(), cell.index, point,
                                         difference.empty() ? "" : "\n", difference));
        if (!is_new) return;
        auto const [taken, is_free] = by_index_.try_emplace(cell.index, &there->second);
        if (!is_free)
            throw InputError(fmt::format(
                "{}: its cell {} is {}, and {} in another store; nothing was merged\n  shards of "
                "one round have the same --base",
                file.string(), cell.index, point,
                point_text(taken->second->sweep, taken->second->coordinates)));
    }

    /// Where text and folder differ the same ones are taken whatever the order of stores.
    StoreHeader header() const
    {
        auto const key = [](Input const& input) {
            return std::tie(input.header.shard, input.header.text, input.header.folder);
        };
        auto header = std::ranges::min_element(inputs_, [&](Input const& a, Input const& b) {
                          return std::pair(a.shard.has_value(), key(a)) <
                                 std::pair(b.shard.has_value(), key(b));
                      })->header;
        header.shard.clear();
        return header;
    }

    void copy(Input const& input, RunStore& store)
    {
        bool begun = false;
        auto const use = [&](StoreParts const& parts, SumsRow&& row) {
            if (stop_asked_()) throw Stopped(InterruptGuard::stopped() + "; nothing was merged");
            expect_new(input, parts, row);
            auto const& run = parts.runs.at(row.run);
            programs_.insert(fmt::format("{} ({}, {})", run.version, run.commit, run.build_type));
            store.add_row(std::move(row), run);
            ++summary_.chunks;
        };
        read_whole_parts(input.file, use, [&] {
            if (std::exchange(begun, true))
                throw InputError(input.file.string() + ": another program is writing to it; "
                                                       "nothing was merged\n  wait for its end");
        });
    }

    void expect_new(Input const& input, StoreParts const& parts, SumsRow const& row)
    {
        auto& ranges = held_[row.key]; // by their ends
        auto const next = ranges.upper_bound(row.first);
        auto const end = row.first + row.count;
        if (next != ranges.end() && next->second.first < end) {
            auto const from = std::max(row.first, next->second.first);
            auto const place = parts.places.find(row.key);
            auto const* const cell =
                place == parts.places.end() ? nullptr : by_index_.at(place->second.cell);
            InstanceRange const shared{from, std::min(end, next->first) - from};
            throw InputError(
                fmt::format("{}: {} are in {} too; nothing was merged", input.file.string(),
                            cell == nullptr ? "instances that its experiment no longer asks for"
                                            : text_of(cell->sweep, cell->coordinates, shared),
                            next->second.second->file.string()));
        }
        ranges.emplace(end, std::pair(row.first, &input));
    }

    /// A shard is whole if its share is there: no other store has instances of it.
    void expect_done(Input const& input, RunStore const& store) const
    {
        if (!input.shard) return;
        for (auto const& cell : input.shard->cells) {
            auto const found = by_place_.find(place_of(cell.sweep, cell.coordinates));
            auto const left =
                without(cell.ranges, found == by_place_.end()
                                         ? std::vector<InstanceRange>()
                                         : coverage_of(store.ranges(found->second.index)).done);
            if (!left.empty())
                throw InputError(fmt::format(
                    "{}: shard {} is not done: {} are missing; nothing was merged\n  its sweep "
                    "command, given again, completes it",
                    input.file.string(), to_text(input.shard->number),
                    text_of(cell.sweep, cell.coordinates, left.front())));
        }
    }

    void expect_whole_rounds() const
    {
        std::map<std::string, std::map<std::int64_t, Input const*>> rounds;
        for (auto const& input : inputs_) {
            if (!input.shard) continue;
            auto const number = input.shard->number;
            auto const [there, is_new] =
                rounds[input.shard->round].try_emplace(number.shard, &input);
            if (!is_new)
                throw InputError(fmt::format("{} and {} hold shard {} of the same round; nothing "
                                             "was merged",
                                             there->second->file.string(), input.file.string(),
                                             to_text(number)));
        }
        for (auto const& [round, shards] : rounds) {
            auto const& first = *shards.begin()->second;
            for (std::int64_t k = 1; k <= first.shard->number.of; ++k) {
                if (shards.contains(k)) continue;
                auto const other = std::ranges::find_if(inputs_, [&](Input const& input) {
                    return input.shard && input.shard->round != round;
                });
                throw InputError(fmt::format(
                    "shard {} is missing, of the round of {}; nothing was merged{}",
                    to_text(ShardNumber{k, first.shard->number.of}), first.file.string(),
                    other == inputs_.end()
                        ? ""
                        : fmt::format("\n  {} holds shard {} of another round: of another --base, "
                                      "[stop] or number of shards",
                                      other->file.string(), to_text(other->shard->number))));
            }
        }
    }

    void expect_no_gaps(RunStore const& store) const
    {
        for (auto const& [index, cell] : by_index_) {
            auto const covered = coverage_of(store.ranges(index));
            auto const point = [&](InstanceRange range) {
                return text_of(cell->sweep, cell->coordinates, range);
            };
            if (!covered.partial.empty())
                throw InputError(fmt::format("{} have a part of their sums alone; nothing was "
                                             "merged\n  crx sweep completes the store",
                                             point(covered.partial.front().range)));
            auto const gaps = uncovered(covered.done, covered.end());
            if (!gaps.empty())
                throw InputError(fmt::format("{} are in none of the stores, which have later ones; "
                                             "nothing was merged",
                                             point(gaps.front())));
        }
    }

    /// Cells are numbered through; numbers that lack are those of a round before.
    void expect_all_cells() const
    {
        std::int64_t next = 0;
        for (auto const& [index, cell] : by_index_) {
            if (index != next)
                throw InputError(fmt::format("cells {} to {} are in none of the stores; nothing "
                                             "was merged\n  the merged store of the rounds before "
                                             "(--base) belongs to them",
                                             next, index - 1));
            ++next;
        }
    }

    std::function<bool()> const& stop_asked_;
    std::deque<Input> inputs_;
    std::map<Place, StoredCell> by_place_;
    std::map<std::int64_t, StoredCell const*> by_index_;
    /// Ranges of each key: end, first and whose they are.
    std::unordered_map<SumsKey, std::map<std::int64_t, std::pair<std::int64_t, Input const*>>,
                       HashOfKey>
        held_;
    std::set<std::string> programs_;
    MergeSummary summary_;
};

} // namespace

MergeSummary merge_stores(std::vector<fs::path> const& stores, fs::path const& output,
                          std::function<bool()> const& stop_asked)
{
    return Merge(stores, stop_asked).into(output);
}

} // namespace crx
