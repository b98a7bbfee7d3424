#include "host/sweep/shard_work.hh"

#include "host/error.hh"
#include "host/experiment/iteration_setting.hh"
#include "host/store/identity_difference.hh"
#include "host/store/keys.hh"
#include "host/sweep/cell_queue.hh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <numeric>

namespace crx {

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
