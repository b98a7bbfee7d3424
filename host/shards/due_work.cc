#include "host/shards/due_work.hh"

#include "host/error.hh"
#include "host/store/identity_difference.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/refiner.hh"
#include "host/sweep/stopping.hh"

#include <set>

namespace crx {

namespace {

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

std::vector<CellRanges> due_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                                 std::optional<StoreState> const& base)
{
    return DueWork(plan, base).find(grid);
}

} // namespace crx
