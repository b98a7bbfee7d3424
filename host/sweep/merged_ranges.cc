#include "host/sweep/merged_ranges.hh"

#include "host/error.hh"
#include "host/experiment/experiment.hh"
#include "host/sweep/cell_queue.hh"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace crx {

namespace {

/// "alpha w=0.5, instances 17 to 99"
std::string place_of(StoreState::Key const& cell, InstanceRange range)
{
    auto const coordinates = nlohmann::json::parse(cell.second).get<Coordinates>();
    return fmt::format("{}, instances {} to {}", point_text(cell.first, coordinates), range.first,
                       range.first + range.count - 1);
}

} // namespace

std::filesystem::path const* MergedRanges::name(std::filesystem::path const& store)
{
    return &*names_.insert(store).first;
}

void MergedRanges::add(StoreState::Key const& cell, InstanceRange range, Holdings const& holdings,
                       std::filesystem::path const& store)
{
    auto& ranges = cells_[cell];
    auto const end = range.first + range.count;
    for (auto const& [held, by_first] : ranges) {
        if (!held.meets(holdings)) continue;
        auto behind = by_first.lower_bound(end); // the first that begins past the range
        if (behind == by_first.begin()) continue;
        auto const& last = std::prev(behind)->second;
        auto const last_end = last.range.first + last.range.count;
        if (last_end <= range.first) continue;
        auto const from = std::max(last.range.first, range.first);
        throw InputError(fmt::format("{}: {} are in {} too; nothing was merged", store.string(),
                                     place_of(cell, {from, std::min(end, last_end) - from}),
                                     last.store->string()));
    }
    ranges[holdings].emplace(range.first, Held{range, name(store)});
}

void MergedRanges::add_shard(ShardRecord record, std::filesystem::path const& store)
{
    shards_.push_back({std::move(record), name(store)});
}

void MergedRanges::expect_whole() const
{
    for (auto const& shard : shards_) expect_done(shard);
    expect_whole_rounds();
    expect_no_gaps();
}

void MergedRanges::expect_whole_rounds() const
{
    std::map<std::string, std::map<std::int64_t, Shard const*>> rounds;
    for (auto const& shard : shards_) {
        auto const number = shard.record.number;
        auto const [there, is_new] = rounds[shard.record.round].try_emplace(number.shard, &shard);
        if (!is_new)
            throw InputError(fmt::format("{} and {} hold shard {} of the same round; nothing was "
                                         "merged",
                                         there->second->store->string(), shard.store->string(),
                                         to_text(number)));
    }
    for (auto const& [round, shards] : rounds) {
        auto const& first = *shards.begin()->second;
        for (std::int64_t k = 1; k <= first.record.number.of; ++k) {
            if (shards.count(k) > 0) continue;
            auto const wanted = ShardNumber{k, first.record.number.of};
            auto const other = std::ranges::find_if(
                shards_, [&](Shard const& shard) { return shard.record.round != round; });
            throw InputError(fmt::format(
                "shard {} is missing, of the round of {}; nothing was merged{}", to_text(wanted),
                first.store->string(),
                other == shards_.end()
                    ? ""
                    : fmt::format("\n  {} holds shard {} of another round: of another --base, "
                                  "[stop] or number of shards",
                                  other->store->string(), to_text(other->record.number))));
        }
    }
}

/// A shard's own store has its share; `cells_` has it from nowhere else, as nothing overlaps.
void MergedRanges::expect_done(Shard const& shard) const
{
    for (auto const& cell : shard.record.cells) {
        StoreState::Key const key{cell.sweep, coordinates_text(cell.coordinates)};
        auto const left = without(cell.ranges, coverage(key).done);
        if (!left.empty())
            throw InputError(fmt::format("{}: shard {} is not done: {} are missing; nothing was "
                                         "merged\n  its sweep command, given again, completes it",
                                         shard.store->string(), to_text(shard.record.number),
                                         place_of(key, left.front())));
    }
}

void MergedRanges::expect_no_gaps() const
{
    for (auto const& [cell, ranges] : cells_) {
        auto const covered = coverage(cell);
        if (!covered.partial.empty())
            throw InputError(fmt::format("{} have a part of their sums alone; nothing was merged"
                                         "\n  crx sweep completes a store that is being extended",
                                         place_of(cell, covered.partial.front().range)));
        auto const gaps = uncovered(covered.done, covered.end());
        if (!gaps.empty())
            throw InputError(fmt::format("{} are in none of the stores, which have later ones; "
                                         "nothing was merged",
                                         place_of(cell, gaps.front())));
    }
}

Coverage MergedRanges::coverage(StoreState::Key const& cell) const
{
    auto const found = cells_.find(cell);
    if (found == cells_.end()) return {};
    std::vector<HeldRange> held;
    for (auto const& [holdings, ranges] : found->second)
        for (auto const& [first, each] : ranges) held.push_back({each.range, &holdings});
    return coverage_of(held);
}

} // namespace crx
