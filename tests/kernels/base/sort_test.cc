#include "kernels/base/sort.cuh"
#include "kernels/engines/requests/order.cuh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace crx {
namespace {

// Sizes around each change of method, values of few and of many bits, sorted ones among them.
TEST(SortIntegers, SortsAsTheStandardLibraryDoes)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::size_t const n : {0, 1, 7, 8, 9, 50, 255, 256, 257, 8191, 8192, 20000})
        for (int const bits : {0, 1, 5, 6, 7, 12, 31, 62}) {
            std::vector<std::int64_t> items(n), scratch(n);
            for (auto& item : items)
                item = static_cast<std::int64_t>(rng() & ((std::uint64_t{2} << bits) - 1));
            if (n % 2 == 0 && n > 0) items[n / 2] = INT64_MAX;
            auto expected = items;
            std::ranges::sort(expected);
            sort_integers(items.data(), static_cast<std::int64_t>(n), scratch.data());
            ASSERT_EQ(items, expected) << n << " " << bits;
            sort_integers(items.data(), static_cast<std::int64_t>(n), scratch.data());
            ASSERT_EQ(items, expected) << n << " " << bits;
        }
}

// Keys few enough to be counted and too many, negative and extreme ones; equal keys keep their
// order.
TEST(SortByKey, IsStable)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::size_t const n : {1, 2, 3, 10, 50, 1000})
        for (std::int64_t const range :
             {std::int64_t{1}, std::int64_t{5}, static_cast<std::int64_t>(2 * n),
              static_cast<std::int64_t>(2 * n + 1), INT64_MAX}) {
            std::vector<std::int64_t> keys(n);
            for (auto& key : keys)
                key = static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(range)) -
                      static_cast<std::int64_t>(n);
            if (range == INT64_MAX && n > 3) {
                keys[1] = INT64_MIN;
                keys[0] = INT64_MAX;
            }
            std::vector<RequestId> order(n);
            for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<RequestId>(n - 1 - i);
            auto expected = order;
            std::ranges::stable_sort(expected, {}, [&](RequestId id) { return keys[id]; });
            std::vector<RankedRequest> scratch(n);
            sort_by_key([&](RequestId id) { return keys[id]; }, static_cast<std::int64_t>(n),
                        scratch.data(), order.data());
            ASSERT_EQ(order, expected) << n << " " << range;
        }
}

} // namespace
} // namespace crx
