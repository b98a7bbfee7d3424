#include "analysis/sorted_f/two_groups.hh"

#include "analysis/sorted_f/selector.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>

namespace crx::sorted_f {
namespace {

Tokens size_of(RequestGroup const& g) { return Tokens{g.prompt} + g.output; }

/// A batch of a requests of one group and b of the other.
struct Pair
{
    std::int64_t a = 0, b = 0;
    Quality quality;
    Tokens size = 0;
};

/// (F, larger count, smaller size)
bool before(Pair const& x, Pair const& y)
{
    if (x.quality < y.quality || y.quality < x.quality) return x.quality < y.quality;
    if (x.quality.count != y.quality.count) return x.quality.count > y.quality.count;
    return x.size < y.size;
}

/// The best batch. For a fixed a > 0 the derivative of F in b has the sign of o_b a - 2 o_a a -
/// o_b b, which falls with b: F rises, then falls, so the least is at b = 0 or at the most that
/// fit.
Pair best_pair(RequestGroup const& ga, RequestGroup const& gb, std::int64_t left_a,
               std::int64_t left_b, Tokens memory)
{
    Pair best;
    auto const look_at = [&](std::int64_t a, std::int64_t b) {
        if (a + b == 0) return;
        Pair const pair{
            a, b, {a * ga.output + b * gb.output, a + b}, a * size_of(ga) + b * size_of(gb)};
        if (best.quality.count == 0 || before(pair, best)) best = pair;
    };
    auto const most_a = std::min<std::int64_t>(left_a, memory / size_of(ga));
    for (std::int64_t a = 0; a <= most_a; ++a) {
        look_at(a, 0);
        look_at(a, std::min<std::int64_t>(left_b, (memory - a * size_of(ga)) / size_of(gb)));
    }
    return best;
}

} // namespace

std::vector<Segment> order_of_two_groups(std::vector<RequestGroup> const& groups, Tokens memory)
{
    CRX_EXPECT(groups.size() == 2);
    std::size_t const x = size_of(groups[0]) >= size_of(groups[1]) ? 0 : 1, y = 1 - x;
    std::int64_t left[2] = {groups[x].count, groups[y].count};
    std::vector<Segment> order;
    auto const append = [&](std::size_t group, std::int64_t count) {
        if (count == 0) return;
        if (!order.empty() && order.back().group == group)
            order.back().count += count;
        else
            order.push_back({group, count});
    };
    // By output; of equal ones Algorithm 1 takes the lower index, which is group 0's.
    auto const x_first =
        groups[x].output != groups[y].output ? groups[x].output < groups[y].output : x == 0;
    while (left[0] + left[1] > 0) {
        auto const batch = best_pair(groups[x], groups[y], left[0], left[1], memory);
        // It stays the best of what is left as long as there is enough left for it.
        auto times = INT64_MAX;
        if (batch.a > 0) times = std::min(times, left[0] / batch.a);
        if (batch.b > 0) times = std::min(times, left[1] / batch.b);
        left[0] -= times * batch.a;
        left[1] -= times * batch.b;
        if (batch.a == 0 || batch.b == 0) {
            append(x, times * batch.a);
            append(y, times * batch.b);
            continue;
        }
        for (std::int64_t k = 0; k < times; ++k) {
            append(x_first ? x : y, x_first ? batch.a : batch.b);
            append(x_first ? y : x, x_first ? batch.b : batch.a);
        }
    }
    return order;
}

GroupedRun run_segments(std::vector<RequestGroup> const& groups, Tokens memory,
                        std::vector<Segment> const& order)
{
    std::vector<RequestGroup> in_order;
    for (auto const& segment : order) {
        CRX_EXPECT(groups[segment.group].arrival == 0);
        in_order.push_back(groups[segment.group]);
        in_order.back().count = segment.count;
    }
    // mc-benchmark serves by arrival, groups of one arrival as they stand.
    auto run = run_grouped({ArrivalOrder::kind, {}}, in_order, memory);
    for (auto& start : run.starts) start.group = order[start.group].group;
    return run;
}

GroupedRun run_two_groups(std::vector<RequestGroup> const& groups, Tokens memory)
{
    return run_segments(groups, memory, order_of_two_groups(groups, memory));
}

} // namespace crx::sorted_f
