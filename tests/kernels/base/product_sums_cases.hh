#pragma once

#include "kernels/base/processor.hh"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace crx_test {

/// Factors for sums of products in `lanes` lanes, step by step, and what the sums should be: one in
/// eight factors has up to `bits` bits, the others a third of them.
struct ProductCases
{
    std::vector<std::int64_t> a, b;
    std::vector<std::int64_t> expected;

    ProductCases(int lanes, int bits, int steps, std::mt19937_64& rng)
    {
        auto const count = static_cast<std::size_t>(lanes) * static_cast<std::size_t>(steps);
        expected.assign(static_cast<std::size_t>(lanes), 0);
        for (std::size_t k = 0; k < count; ++k) {
            auto const large = rng() % 8 == 0;
            auto const mask = (std::uint64_t{1} << (large ? bits : bits / 3)) - 1;
            a.push_back(static_cast<std::int64_t>(rng() & mask));
            b.push_back(static_cast<std::int64_t>(rng() & mask));
            expected[k % static_cast<std::size_t>(lanes)] += a.back() * b.back();
        }
    }
};

/// 2,000 sums of up to 400 products: of factors below 2^24, so that products, too, go beyond what a
/// float holds, and below 2^26, or 2^12, in doubles. The functions count the lanes whose sum is
/// wrong.
inline void expect_exact_sums(int lanes_of_floats, int (*in_floats)(ProductCases const&),
                              int (*in_doubles)(ProductCases const&), std::uint64_t seed)
{
    std::mt19937_64 rng(seed);
    for (int run = 0; run < 2000 && !testing::Test::HasFailure(); ++run) {
        auto const steps = 1 + static_cast<int>(rng() % 400);
        ProductCases const narrow(lanes_of_floats, run % 2 == 0 ? 24 : 12, steps, rng);
        EXPECT_EQ(in_floats(narrow), 0);
        ProductCases wide(lanes_of_floats / 2, run % 2 == 0 ? 26 : 12, steps, rng);
        EXPECT_EQ(in_doubles(wide), 0);
        ++wide.a[0]; // planted
        EXPECT_EQ(in_doubles(wide), wide.b[0] != 0 ? 1 : 0);
    }
}

} // namespace crx_test

namespace crx {

CRX_FOR_EACH_LEVEL(int wrong_in_floats(crx_test::ProductCases const& cases);
                   int wrong_in_doubles(crx_test::ProductCases const& cases);)

} // namespace crx
