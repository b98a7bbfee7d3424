#include "host/sweep/shard_work.hh"

#include "analysis/statistics/baseline_name.hh"
#include "host/error.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/store/identity_difference.hh"
#include "host/store/keys.hh"
#include "host/store/shard_record.hh"
#include "host/store/store_reader.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/coverage.hh"
#include "host/sweep/refiner.hh"
#include "host/sweep/stopping.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <numeric>
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

namespace {

/// A piece of a cell costs at least this much where the cell has as much: a millisecond or so, as
/// planning a cell and committing a chunk take about that.
constexpr std::int64_t least_piece = 10'000;

double expected_prompts(IterationSetting const& setting)
{
    double rate = 0;
    for (auto const each : setting.load.rate) rate += each;
    return rate * setting.horizons().back() * static_cast<double>(setting.policies.size());
}

double request_work(Cell const& cell)
{
    double cost = 0;
    for (std::size_t p = 0; p < cell.policies.size(); ++p) {
        auto const where = engine_case(cell, order_of(cell, p));
        auto const& engine =
            portable_engine(Processor::cpu, law_of(cell, p), cell.policies[p], where);
        cost += engine.refusal(cell.policies[p], where).empty()
                    ? engine.cost(cell.policies[p], where)
                    : 1;
    }
    return cost * static_cast<double>(cell.workload.requests);
}

/// The pieces of a cell that each shard runs, as ends of the shards' runs of neighbouring pieces.
struct Pieces
{
    std::int64_t instances; ///< in a piece; the last may have fewer
    std::vector<std::int64_t> end;
};

/// Deals the pieces of one cell: as many to all, the rest to those with the least cost so far.
Pieces deal(std::int64_t instances, std::int64_t cost, std::vector<double>& load)
{
    auto const shards = static_cast<std::int64_t>(load.size());
    Pieces pieces{std::max<std::int64_t>(1, (least_piece + cost - 1) / cost), {}};
    auto const count = (instances + pieces.instances - 1) / pieces.instances;
    auto const of_piece = static_cast<double>(pieces.instances * cost);
    std::vector<std::int64_t> has(load.size(), count / shards);
    std::vector<std::size_t> order(load.size());
    std::iota(order.begin(), order.end(), 0);
    auto const rest = static_cast<std::ptrdiff_t>(count % shards);
    std::partial_sort(order.begin(), order.begin() + rest, order.end(),
                      [&](std::size_t a, std::size_t b) {
                          return std::pair(load[a], a) < std::pair(load[b], b);
                      });
    for (std::ptrdiff_t k = 0; k < rest; ++k) ++has[order[static_cast<std::size_t>(k)]];
    std::int64_t end = 0;
    for (std::size_t s = 0; s < load.size(); ++s) {
        load[s] += static_cast<double>(has[s]) * of_piece;
        pieces.end.push_back(end += has[s]);
    }
    return pieces;
}

/// Those of the ranges' instances that have the numbers first .. end - 1 when counted through.
std::vector<InstanceRange> counted_through(std::vector<InstanceRange> const& ranges,
                                           std::int64_t first, std::int64_t end)
{
    std::vector<InstanceRange> part;
    std::int64_t before = 0;
    for (auto const& range : ranges) {
        auto const from = std::max(first, before), to = std::min(end, before + range.count);
        if (from < to) part.push_back({range.first + from - before, to - from});
        before += range.count;
    }
    return part;
}

/// A shard's cells have the numbers that they have in the base, which is of the same experiment.
std::optional<StoreState> base_of_shard(std::filesystem::path const& store,
                                        StoreHeader const& header,
                                        std::vector<PlannedCell> const& grid)
{
    if (store.empty()) return std::nullopt;
    auto state = read_store_state(store);
    auto const difference = describe_difference(state.header.identity, header.identity);
    if (!difference.empty())
        throw InputError(store.string() + ": holds another experiment\n" + difference);
    for (auto const& cell : grid) {
        auto const keys = keys_of(cell.identity, header.baselines);
        if (!coverage_of(state.sums.ranges(keys)).partial.empty())
            throw InputError(store.string() + ": has a part of some sums alone\n  crx sweep "
                                              "without --shard completes it first");
    }
    return state;
}

/// Of whatever experiment a store is: cells that this one does not have count for nothing.
std::optional<StoreState> state_of(std::filesystem::path const& store, StoreHeader const& header)
{
    auto state = read_store_state(store);
    if (state.header.identity != header.identity) state.indices.clear();
    return state;
}

} // namespace

std::int64_t estimated_cost(PlannedCell const& cell)
{
    double const cost =
        cell.paths != nullptr ? expected_prompts(*cell.paths) : request_work(cell.cell);
    return static_cast<std::int64_t>(std::clamp(std::ceil(cost), 1.0, 1e12));
}

std::vector<std::int64_t> estimated_costs(Plan const& plan, std::vector<CellRanges> const& due)
{
    std::vector<std::int64_t> costs;
    for (auto const& [cell, index, ranges] : due)
        costs.push_back(estimated_cost(plan.make_cell(cell.sweep, cell.coordinates)));
    return costs;
}

std::vector<CellRanges> share_of(std::vector<CellRanges> const& due,
                                 std::vector<std::int64_t> const& costs, ShardNumber const& number)
{
    CRX_EXPECT(due.size() == costs.size());
    std::vector<std::size_t> order(due.size()); // the dearest instances first, as they fit worst
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return costs[k]; });
    std::vector<double> load(static_cast<std::size_t>(number.of));
    std::vector<std::vector<InstanceRange>> mine(due.size());
    auto const shard = static_cast<std::size_t>(number.shard - 1);
    for (auto const k : order) {
        auto const instances = total(due[k].ranges);
        auto const pieces = deal(instances, costs[k], load);
        auto const begin = shard == 0 ? 0 : pieces.end[shard - 1];
        mine[k] = counted_through(due[k].ranges, begin * pieces.instances,
                                  std::min(instances, pieces.end[shard] * pieces.instances));
    }
    std::vector<CellRanges> share;
    for (std::size_t k = 0; k < due.size(); ++k)
        if (!mine[k].empty()) share.push_back({due[k].cell, due[k].index, std::move(mine[k])});
    return share;
}

ShardRecord record_of(std::vector<CellRanges> const& due, std::vector<CellRanges> const& share,
                      ShardNumber const& number)
{
    auto const cells_of = [](std::vector<CellRanges> const& work) {
        std::vector<CellShare> cells;
        for (auto const& each : work)
            cells.push_back({each.cell.sweep, each.cell.coordinates, each.ranges});
        return cells;
    };
    ShardRecord const whole{{1, number.of}, "", cells_of(due)};
    return {number, identity_hash(to_text(whole)), cells_of(share)};
}

ShardWork shard_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                     StoreHeader const& header, std::filesystem::path const& base,
                     ShardNumber const& number)
{
    auto const due = due_work(plan, grid, base_of_shard(base, header, grid));
    auto work = share_of(due, estimated_costs(plan, due), number);
    auto record = to_text(record_of(due, work, number));
    return {std::move(work), std::move(record), due.empty()};
}

MissingWork missing_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                         StoreHeader const& header, std::filesystem::path const& store)
{
    MissingWork missing;
    for (auto const& each : due_work(plan, grid, state_of(store, header))) {
        ++missing.cells;
        missing.instances += total(each.ranges);
    }
    return missing;
}

} // namespace crx
