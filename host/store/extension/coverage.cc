#include "host/store/extension/coverage.hh"

#include <algorithm>
#include <map>
#include <set>

namespace crx {

namespace {

std::int64_t end_of(InstanceRange range) { return range.first + range.count; }

/// The range that contains an instance; null: none. Ranges ascend.
InstanceRange const* range_at(std::vector<InstanceRange> const& ranges, std::int64_t instance)
{
    auto const behind = std::upper_bound(ranges.begin(), ranges.end(), instance,
                                         [](auto i, auto const& range) { return i < range.first; });
    if (behind == ranges.begin()) return nullptr;
    auto const* const before = &*std::prev(behind);
    return instance < end_of(*before) ? before : nullptr;
}

void append(std::vector<InstanceRange>& ranges, InstanceRange range)
{
    if (!ranges.empty() && end_of(ranges.back()) == range.first)
        ranges.back().count += range.count;
    else
        ranges.push_back(range);
}

} // namespace

std::int64_t Coverage::end() const
{
    std::int64_t last = done.empty() ? 0 : end_of(done.back());
    if (!partial.empty()) last = std::max(last, end_of(partial.back().range));
    return last;
}

Coverage coverage_of(std::vector<HeldRange> const& chunks)
{
    // By what they hold there are few kinds, each of whose chunks are disjoint.
    std::map<Holdings const*, std::vector<InstanceRange>> kinds;
    auto sorted = chunks;
    std::ranges::sort(sorted, {}, [](HeldRange const& held) { return held.range.first; });
    for (auto const& [range, holdings] : sorted) append(kinds[holdings], range);
    std::set<std::int64_t> ends;
    for (auto const& [holdings, ranges] : kinds)
        for (auto const& range : ranges) ends.insert({range.first, end_of(range)});

    Coverage coverage;
    std::map<Holdings, std::shared_ptr<Holdings const>> known;
    for (auto at = ends.begin(); at != ends.end() && std::next(at) != ends.end(); ++at) {
        InstanceRange const range{*at, *std::next(at) - *at};
        Holdings there;
        for (auto const& [holdings, ranges] : kinds) {
            if (range_at(ranges, range.first) == nullptr) continue;
            if (there.policies() == 0)
                there = *holdings;
            else
                there.add(*holdings);
        }
        if (there.policies() == 0) continue;
        if (there.is_everything()) {
            append(coverage.done, range);
            continue;
        }
        auto& missing = known[there];
        if (missing == nullptr) missing = std::make_shared<Holdings const>(there.missing());
        auto& partial = coverage.partial;
        if (!partial.empty() && partial.back().missing == missing &&
            end_of(partial.back().range) == range.first)
            partial.back().range.count += range.count;
        else
            partial.push_back({range, missing});
    }
    return coverage;
}

} // namespace crx
