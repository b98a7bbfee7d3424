#include "host/shards/shard_work.hh"

#include "host/error.hh"
#include "host/shards/share.hh"
#include "host/store/identity_difference.hh"
#include "host/sweep/cell_queue.hh"

namespace crx {

namespace {

std::optional<StoreState> state_of(std::filesystem::path const& store, StoreHeader const& header)
{
    if (store.empty()) return std::nullopt;
    auto state = read_store_state(store);
    auto const difference = describe_difference(state.header.identity, header.identity);
    if (!difference.empty())
        throw InputError(store.string() + ": holds another experiment\n" + difference);
    return state;
}

std::vector<std::int64_t> costs_of(Plan const& plan, std::vector<CellRanges> const& due)
{
    std::vector<std::int64_t> costs;
    for (auto const& [cell, index, ranges] : due)
        costs.push_back(estimated_cost(plan.make_cell(cell.sweep, cell.coordinates)));
    return costs;
}

} // namespace

ShardWork shard_work(Plan const& plan, std::vector<PlannedCell> const& grid,
                     StoreHeader const& header, std::filesystem::path const& base,
                     ShardNumber const& number)
{
    auto const due = due_work(plan, grid, state_of(base, header));
    auto work = share_of(due, costs_of(plan, due), number);
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
