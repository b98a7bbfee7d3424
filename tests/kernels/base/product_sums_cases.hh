#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace crx_test {

/// Whole numbers for a sum of products in `lanes` lanes: numbers of up to so many bits, step by
/// step; products small, so that they add up exactly for long, or beyond what a number holds.
struct ProductCases
{
    int lanes;
    int bits; ///< of a factor; the product and their sum have less than 63
    std::vector<std::int64_t> a, b;
    std::vector<std::int64_t> expected;

    ProductCases(int lanes_, int bits_, int steps, std::mt19937_64& rng)
        : lanes(lanes_), bits(bits_)
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

} // namespace crx_test
