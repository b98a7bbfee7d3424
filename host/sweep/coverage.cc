#include "host/sweep/coverage.hh"

#include <algorithm>
#include <map>
#include <set>

namespace crx {

namespace {

std::int64_t end_of(InstanceRange range) { return range.first + range.count; }

bool contains(std::vector<InstanceRange> const& ranges, std::int64_t instance)
{
    auto const behind = std::ranges::upper_bound(ranges, instance, {}, &InstanceRange::first);
    return behind != ranges.begin() && instance < end_of(*std::prev(behind));
}

void append(std::vector<InstanceRange>& ranges, InstanceRange range)
{
    if (!ranges.empty() && end_of(ranges.back()) == range.first)
        ranges.back().count += range.count;
    else
        ranges.push_back(range);
}

std::vector<InstanceRange> joined(std::vector<InstanceRange> const& ranges)
{
    std::vector<InstanceRange> all;
    for (auto const& range : ranges) append(all, range);
    return all;
}

Holdings holdings_at(RangesOfSums const& ranges, std::int64_t instance)
{
    Holdings there(ranges.size(), ranges.front().size() - 1);
    for (std::size_t p = 0; p < ranges.size(); ++p)
        for (std::size_t k = 0; k < ranges[p].size(); ++k)
            if (contains(ranges[p][k], instance))
                k == 0 ? there.add_sums(p) : there.add_ratios(p, k - 1);
    return there;
}

} // namespace

Holdings Holdings::everything(std::size_t policies, std::size_t baselines)
{
    Holdings all(policies, baselines);
    all.bits_.flip();
    return all;
}

bool Holdings::any_of_policy(std::size_t policy) const
{
    for (auto k = place(policy); k < place(policy + 1); ++k)
        if (bits_[k]) return true;
    return false;
}

bool Holdings::any_over(std::size_t baseline) const
{
    for (std::size_t p = 0; p < policies(); ++p)
        if (ratios(p, baseline)) return true;
    return false;
}

bool Holdings::is_empty() const { return std::ranges::find(bits_, true) == bits_.end(); }
bool Holdings::is_everything() const { return std::ranges::find(bits_, false) == bits_.end(); }

Holdings Holdings::missing() const
{
    auto rest = *this;
    rest.bits_.flip();
    return rest;
}

std::int64_t Coverage::end() const
{
    std::int64_t last = done.empty() ? 0 : end_of(done.back());
    if (!partial.empty()) last = std::max(last, end_of(partial.back().range));
    return last;
}

Coverage coverage_of(RangesOfSums const& ranges)
{
    Coverage coverage;
    if (ranges.empty()) return coverage;
    RangesOfSums whole;
    std::set<std::int64_t> ends;
    bool alike = true;
    for (auto const& of_policy : ranges) {
        auto& list = whole.emplace_back();
        for (auto const& each : of_policy) {
            list.push_back(joined(each));
            alike = alike && list.back() == whole[0][0];
        }
    }
    if (alike) {
        coverage.done = std::move(whole[0][0]);
        return coverage;
    }
    for (auto const& of_policy : whole)
        for (auto const& each : of_policy)
            for (auto const& range : each) ends.insert({range.first, end_of(range)});
    std::map<Holdings, std::shared_ptr<Holdings const>> known;
    for (auto at = ends.begin(); std::next(at) != ends.end(); ++at) {
        InstanceRange const range{*at, *std::next(at) - *at};
        auto const there = holdings_at(whole, range.first);
        if (there.is_empty()) continue;
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
