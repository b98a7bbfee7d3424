#include "host/sweep/due_work.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/store/shard_record.hh"
#include "host/store/store_reader.hh"
#include "host/sweep/coverage.hh"
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
        for (auto const kind : plan.baselines) {
            baselines_.emplace_back(name_of(kind).id);
            kinds_.emplace_back(kind);
        }
        if (!base) return;
        for (auto const& [place, index] : base->indices) taken_.insert(index);
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
            auto const index = index_of(cell);
            auto const& keys = keys_[index] = keys_of(cell.identity, baselines_);
            refiner.add(cell, index);
            if (!seen_.insert(cell.identity).second) continue; // another cell has the same sums
            auto ranges = due_ranges(cell, keys);
            if (!ranges.empty()) due_.push_back({cell, index, std::move(ranges)});
        }
    }

    std::int64_t index_of(PlannedCell const& cell)
    {
        if (base_) {
            auto const found =
                base_->indices.find({cell.sweep, coordinates_text(cell.coordinates)});
            if (found != base_->indices.end()) return found->second;
        }
        while (!taken_.insert(free_).second) ++free_;
        return free_;
    }

    std::vector<InstanceRange> due_ranges(PlannedCell const& cell, CellKeys const& keys) const
    {
        auto const covered = base_ ? coverage_of(base_->sums.ranges(keys)) : Coverage{};
        for (auto reached = covered.end();;) {
            auto const target = next_checkpoint(plan_.stop, reached);
            auto gaps = uncovered(covered.done, std::max(target, covered.end()));
            if (!gaps.empty()) return gaps;
            if (target == plan_.stop.instances || is_precise(cell, keys)) return {};
            reached = target + 1;
        }
    }

    bool is_precise(PlannedCell const& cell, CellKeys const& keys) const
    {
        if (plan_.model == Model::iterations)
            return precise_enough(plan_.stop, base_->sums.paths(keys));
        return precise_enough(plan_.stop, plan_.baselines, base_->sums.tally(keys, kinds_), [&] {
            return std::make_shared<Cell const>(plan_.make_cell(cell.sweep, cell.coordinates).cell);
        });
    }

    /// No cell is refined before all are in the store.
    Tally tally(std::int64_t index) const { return base_->sums.tally(keys_.at(index), kinds_); }

    Plan const& plan_;
    std::optional<StoreState> const& base_;
    std::vector<std::string> baselines_;
    std::vector<std::optional<BaselineKind>> kinds_;
    std::set<std::int64_t> taken_;
    std::int64_t free_ = 0;
    std::map<std::int64_t, CellKeys> keys_; ///< by index
    std::set<std::string> seen_;            ///< identities
    std::vector<CellRanges> due_;
};

} // namespace

StoreState read_store_state(std::filesystem::path const& file)
{
    StoreState state;
    auto const parts = read_whole_parts(
        file, [&](StoreParts const&, SumsRow&& row) { state.sums.add(std::move(row)); },
        [&] { state.sums = SumsOfKeys(); });
    state.header = parts.header();
    for (auto const& cell : parts.cells)
        state.indices.emplace(StoreState::Place(cell.sweep, coordinates_text(cell.coordinates)),
                              cell.index);
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
