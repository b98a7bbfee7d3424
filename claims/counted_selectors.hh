#pragma once

#include "analysis/sorted_f/selector.hh"

#include <algorithm>
#include <limits>
#include <numeric>

namespace crx::claims {

/// WANG Algorithms 2 to 5 as printed, for one batch, counting the body of the innermost loop (of
/// Algorithm 5: comparisons of its sorts).
struct CountedBatch
{
    sorted_f::Batch batch; ///< empty where only the table was made
    std::int64_t operations = 0, exchanges = 0;
    sorted_f::Quality quality{}; ///< of the table's best state
};

using SortedItems = std::vector<sorted_f::Item>;

/// Algorithms 2 (cell = 1) and 3: states (k, m) with m in whole cells, `cell` being lambda.
inline CountedBatch counted_table(SortedItems const& items, std::int64_t memory, std::int64_t cell,
                                  bool only_reached)
{
    constexpr auto none = std::numeric_limits<std::int64_t>::max();
    auto const n = static_cast<std::int64_t>(items.size()), width = memory / cell + 1;
    std::vector<std::int64_t> least(static_cast<std::size_t>((n + 1) * width), none);
    auto const at = [&](std::int64_t k, std::int64_t m) -> std::int64_t& {
        return least[static_cast<std::size_t>(k * width + m)];
    };
    at(0, 0) = 0;
    CountedBatch made;
    for (auto const& item : items) {
        auto const size = item.size() / cell;
        for (auto k = n; k >= 1; --k)
            for (auto m = width - 1; m >= size; --m) {
                auto const before = at(k - 1, m - size);
                made.operations += !only_reached || before != none; // Algorithm 2 asks first
                if (before != none) at(k, m) = std::min(at(k, m), before + item.output);
            }
    }
    for (std::int64_t k = 1; k <= n; ++k)
        for (std::int64_t m = 0; m < width; ++m)
            if (at(k, m) != none)
                if (sorted_f::Quality const q{at(k, m), k};
                    made.quality.count == 0 || q < made.quality)
                    made.quality = q;
    return made;
}

/// Algorithm 4.
inline CountedBatch counted_swap(SortedItems const& items, std::int64_t memory)
{
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return items[i].size(); });
    std::vector<char> inside(items.size(), 0);
    std::int64_t held = 0;
    for (auto const i : order)
        if (held + items[i].size() <= memory) {
            inside[i] = 1;
            held += items[i].size();
        }
    CountedBatch made;
    auto const exchange = [&] {
        for (auto const out : order)
            for (auto const in : order) {
                if (inside[out] == 0) break;
                if (inside[in] != 0) continue;
                ++made.operations;
                auto const more = items[in].size() - items[out].size();
                if (held + more > memory || items[in].output >= items[out].output) continue;
                inside[out] = 0;
                inside[in] = 1;
                held += more;
                return true;
            }
        return false;
    };
    while (exchange()) ++made.exchanges;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (inside[i] != 0) made.batch.push_back(i);
    return made;
}

/// A family on which Algorithm 4 takes n^3, M = n^2. Of equal sizes half fit, the first half. A
/// quarter of n can never be exchanged and is looked at first each time, another has the largest
/// outputs, and half is outside in descending order of outputs.
inline SortedItems descending_items(std::int32_t n)
{
    SortedItems items;
    auto const add = [&](std::int32_t output) {
        items.push_back({items.size(), 2 * n - output, output});
    };
    for (std::int32_t k = 0; k < n / 4; ++k) add(1);
    for (std::int32_t k = 0; k < n / 4; ++k) add(n);
    for (std::int32_t k = 0; k < n / 2; ++k) add(n - 1 - k);
    return items;
}

/// The two sorts of Algorithm 5; all else is linear.
inline std::int64_t counted_quantile_sorts(SortedItems const& items)
{
    std::int64_t comparisons = 0;
    auto sorted = items;
    std::ranges::stable_sort(sorted, [&](auto const& a, auto const& b) {
        ++comparisons;
        return a.output < b.output;
    });
    std::ranges::stable_sort(sorted, [&](auto const& a, auto const& b) {
        ++comparisons;
        return std::int64_t{a.output} * b.size() < std::int64_t{b.output} * a.size();
    });
    return comparisons;
}

} // namespace crx::claims
