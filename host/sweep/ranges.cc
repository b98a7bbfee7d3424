#include "host/sweep/ranges.hh"

#include <algorithm>

namespace crx {

std::vector<InstanceRange> uncovered(std::vector<InstanceRange> const& ranges, std::int64_t target)
{
    std::vector<InstanceRange> gaps;
    std::int64_t next = 0;
    for (auto const& range : ranges) {
        CRX_EXPECT(range.count > 0 && range.first >= next);
        auto const end = std::min(range.first, target);
        if (next < end) gaps.push_back({next, end - next});
        next = range.first + range.count;
    }
    if (next < target) gaps.push_back({next, target - next});
    return gaps;
}

std::int64_t total(std::vector<InstanceRange> const& ranges)
{
    std::int64_t sum = 0;
    for (auto const& range : ranges) sum += range.count;
    return sum;
}

} // namespace crx
