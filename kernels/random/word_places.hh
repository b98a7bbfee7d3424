#pragma once

#include "kernels/random/buffered_words.hh"

// For sources *_simd.cc.

namespace crx {
namespace {

/// Where the next words of several streams are, as numbers that lanes can reckon with.
template <int streams>
struct WordPlaces
{
    /// Not known: the stream itself knows.
    static constexpr std::uint64_t unknown = std::uint64_t{1} << 51; ///< above all addresses

    alignas(64) std::uint64_t next[streams];
    alignas(64) std::uint64_t last[streams]; ///< from there on there may be too few words

    void forget(int j)
    {
        next[j] = unknown;
        last[j] = 0;
    }
    /// Tells the stream which words were used, before it is used itself.
    void leave(int j, BufferedWords& words)
    {
        if (next[j] == unknown) return;
        words.use_until(reinterpret_cast<std::uint64_t const*>(next[j]));
        forget(j);
    }
    /// Finds BufferedWords::most_looked_at words, and more.
    void look(int j, BufferedWords& words)
    {
        leave(j, words);
        next[j] = reinterpret_cast<std::uint64_t>(words.look_ahead());
        last[j] = reinterpret_cast<std::uint64_t>(words.last_look());
    }
};

} // namespace
} // namespace crx
