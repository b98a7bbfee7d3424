#include "host/sweep/due_work.hh"

#include "host/error.hh"
#include "host/store/identity_difference.hh"
#include "host/sweep/cell_queue.hh"
#include "host/store/open_store.hh"
#include "host/store/shard_record.hh"
#include "host/store/tables/integrity.hh"
#include "host/sweep/refiner.hh"
#include "host/sweep/stopping.hh"

#include <set>

namespace crx {

namespace {

/// Sums and ranges of each cell, by its index, while chunks are read.
struct Collected
{
    std::vector<HeldRange> chunks;
    Tally tally;
    PathSums paths;

    void add(ChunkSums&& sums)
    {
        tally.resize(sums.tally.size());
        paths.resize(sums.paths.size());
        for (std::size_t p = 0; p < tally.size(); ++p) tally[p].add(sums.tally[p]);
        for (std::size_t p = 0; p < paths.size(); ++p)
            paths[p].insert(paths[p].end(), sums.paths[p].begin(), sums.paths[p].end());
    }
};

StoreState state_of(Database const& database)
{
    std::map<std::int64_t, Collected> sums;
    std::set<Holdings> kinds; // those of the reader end with it
    auto parts = inspect(database, [&](ChunkRow const& chunk, ChunkSums&& of_chunk) {
        auto& cell = sums[chunk.cell];
        auto const* const holdings = &*kinds.insert(*of_chunk.holdings).first;
        cell.chunks.push_back({{chunk.first, chunk.count}, holdings});
        cell.add(std::move(of_chunk));
    });
    if (!parts.damage.empty()) throw DamagedStore(parts.damage);
    StoreState state{*parts.header, {}};
    for (auto const& cell : parts.cells) {
        auto& collected = sums[cell.index];
        collected.tally.resize(state.header.policies.size());
        collected.paths.resize(state.header.policies.size());
        state.cells.emplace(StoreState::Key{cell.sweep, coordinates_text(cell.coordinates)},
                            CellState{cell, coverage_of(collected.chunks),
                                      std::move(collected.tally), std::move(collected.paths)});
    }
    return state;
}

class DueWork
{
  public:
    DueWork(Plan const& plan, std::optional<StoreState> const& base) : plan_(plan), base_(base)
    {
        if (!base) return;
        for (auto const& [key, state] : base->cells) taken_.insert(state.cell.index);
    }

    std::vector<CellRanges> find(std::vector<PlannedCell> const& grid)
    {
        Refiner refiner(plan_);
        add(grid, refiner);
        for (int round = 1; due_.empty() && round <= refiner.rounds(); ++round)
            add(refiner.next_round(round, [&](std::int64_t index) { return tally(index); }),
                refiner);
        return std::move(due_);
    }

  private:
    void add(std::vector<PlannedCell> const& cells, Refiner& refiner)
    {
        for (auto const& cell : cells) {
            auto const* const state = find_state(cell);
            auto const index =
                state != nullptr && state->cell.index >= 0 ? state->cell.index : next_free();
            if (state != nullptr) states_[index] = state;
            auto ranges = due_ranges(cell, state);
            if (!ranges.empty()) due_.push_back({cell, index, std::move(ranges)});
            refiner.add(cell, index);
        }
    }

    CellState const* find_state(PlannedCell const& cell) const
    {
        if (!base_) return nullptr;
        auto const found = base_->cells.find({cell.sweep, coordinates_text(cell.coordinates)});
        if (found == base_->cells.end()) return nullptr;
        auto const difference = describe_difference(found->second.cell.identity, cell.identity);
        if (!difference.empty())
            throw InputError("the store before holds other results of " +
                             point_text(cell.sweep, cell.coordinates) + "\n" + difference);
        if (!found->second.covered.partial.empty())
            throw InputError("the store before is being extended\n  crx sweep without --shard "
                             "completes it first");
        return &found->second;
    }

    std::vector<InstanceRange> due_ranges(PlannedCell const& cell, CellState const* state) const
    {
        if (state == nullptr) return {{0, next_checkpoint(plan_.stop, 0)}};
        auto const& done = state->covered.done;
        for (auto reached = state->covered.end();;) {
            auto const target = next_checkpoint(plan_.stop, reached);
            auto gaps = uncovered(done, target);
            if (!gaps.empty()) return gaps;
            if (target == plan_.stop.instances || is_precise(cell, *state)) return {};
            reached = target + 1;
        }
    }

    bool is_precise(PlannedCell const& cell, CellState const& state) const
    {
        if (plan_.model == Model::iterations) return precise_enough(plan_.stop, state.paths);
        return precise_enough(plan_.stop, plan_.baselines, state.tally, [&] {
            return std::make_shared<Cell const>(plan_.make_cell(cell.sweep, cell.coordinates).cell);
        });
    }

    Tally tally(std::int64_t index) const
    {
        return states_.at(index)->tally; // no cell is refined before all are in the store
    }

    std::int64_t next_free()
    {
        while (!taken_.insert(free_).second) ++free_;
        return free_;
    }

    Plan const& plan_;
    std::optional<StoreState> const& base_;
    std::set<std::int64_t> taken_;
    std::int64_t free_ = 0;
    std::map<std::int64_t, CellState const*> states_;
    std::vector<CellRanges> due_;
};

} // namespace

StoreState read_store_state(std::filesystem::path const& file)
{
    StoreState state;
    with_store(file, [&](Database const& database) { state = state_of(database); });
    if (!state.header.shard.empty())
        throw InputError(file.string() + ": holds " + shard_name(state.header.shard) +
                         " alone\n  crx merge joins it with the others");
    return state;
}

std::vector<CellRanges> due_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                                 std::optional<StoreState> const& base)
{
    return DueWork(plan, base).find(grid);
}

} // namespace crx
