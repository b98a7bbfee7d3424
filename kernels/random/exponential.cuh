#pragma once

#include "kernels/random/word_stream.cuh"

namespace crx {

/// A draw of the exponential law with mean 1: whole + fraction 2^-64.
struct Exponential
{
    std::uint64_t whole = 0, fraction = 0;

    /// floor(mean times the draw). Contract: the product is below 2^64.
    CRX_HD std::uint64_t scaled(std::uint64_t mean) const
    {
        return whole * mean + static_cast<std::uint64_t>((Unsigned128{fraction} * mean) >> 64);
    }
};

/// Draws it with comparisons of uniform words alone, so every processor has the same integers.
///
/// A trial takes words u1 > u2 > .. until one is not below its predecessor; with n words in all it
/// succeeds if n is even, which has probability exp(-u1), and u1 is the fraction. Each failed trial
/// adds 1 to the whole part. Words are 64 bits of uniform reals; a tie (2^-64 a comparison) counts
/// as not below, so the law is within 2^-60 of the exponential in total variation. About 4.3 words
/// a draw. Source: von Neumann (1951), Various techniques used in connection with random digits.
CRX_HD inline Exponential exponential(WordStream& words)
{
    for (std::uint64_t whole = 0;; ++whole) {
        auto const first = words.next();
        auto last = first;
        bool even = false; // number of words taken
        for (;;) {
            auto const word = words.next();
            even = !even;
            if (word >= last) break;
            last = word;
        }
        if (even) return {whole, first};
    }
}

} // namespace crx
