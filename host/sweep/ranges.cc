#include "host/sweep/ranges.hh"

#include <algorithm>

namespace crx {

std::vector<InstanceRange> without(std::vector<InstanceRange> const& ranges,
                                   std::vector<InstanceRange> const& done)
{
    std::vector<InstanceRange> left;
    for (auto const& range : ranges) {
        auto next = range.first;
        auto const end = range.first + range.count;
        for (auto const& held : done) {
            auto const from = std::max(held.first, next);
            if (from >= end) break;
            if (held.first + held.count <= next) continue;
            if (next < from) left.push_back({next, from - next});
            next = held.first + held.count;
        }
        if (next < end) left.push_back({next, end - next});
    }
    return left;
}

std::vector<InstanceRange> uncovered(std::vector<InstanceRange> const& ranges, std::int64_t target)
{
    return without({{0, target}}, ranges);
}

std::int64_t total(std::vector<InstanceRange> const& ranges)
{
    std::int64_t sum = 0;
    for (auto const& range : ranges) sum += range.count;
    return sum;
}

} // namespace crx
