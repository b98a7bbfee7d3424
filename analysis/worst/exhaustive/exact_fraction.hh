#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace crx::worst {

/// A fraction of whole numbers below 2^127, not reduced unless it says so. What does not fit throws
/// std::overflow_error. Contract: below > 0.
struct ExactFraction
{
    __int128 above = 0, below = 1;

    ExactFraction reduced() const
    {
        auto a = above < 0 ? -above : above, b = below;
        while (b != 0) {
            auto const rest = a % b;
            a = b;
            b = rest;
        }
        return a > 1 ? ExactFraction{above / a, below / a} : *this;
    }
    double value() const { return static_cast<double>(above) / static_cast<double>(below); }
    /// In lowest terms: "30/11", or "2".
    std::string text() const;

    static __int128 product(__int128 a, __int128 b)
    {
        __int128 result = 0;
        if (__builtin_mul_overflow(a, b, &result))
            throw std::overflow_error("a fraction past 2^127");
        return result;
    }
    friend ExactFraction operator/(ExactFraction const& a, ExactFraction const& b)
    {
        return {product(a.above, b.below), product(a.below, b.above)};
    }
    friend ExactFraction operator+(ExactFraction const& a, ExactFraction const& b)
    {
        return ExactFraction{product(a.above, b.below) + product(b.above, a.below),
                             product(a.below, b.below)}
            .reduced();
    }
    friend bool operator<(ExactFraction const& a, ExactFraction const& b)
    {
        return product(a.above, b.below) < product(b.above, a.below);
    }
    friend bool operator==(ExactFraction const& a, ExactFraction const& b)
    {
        return product(a.above, b.below) == product(b.above, a.below);
    }
};

} // namespace crx::worst
