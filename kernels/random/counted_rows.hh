#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/random/buffered_words.hh"
#include "kernels/random/sampling_without_replacement.cuh"

#include <cstdint>
#include <cstring>

// In vectors of whatever the processor has for which the including source is compiled; nothing of
// it is shared between sources, and all functions with vectors are inlined.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx {
namespace {

/// RowHalves of eight rows.
using RowHalves = std::uint32_t __attribute__((vector_size(64)));

/// Bits set in each half: sums of 2, 4, 8 and 32 bits.
[[gnu::always_inline]] inline RowHalves bits_of(RowHalves half)
{
    half -= half >> 1 & 0x55555555;
    half = (half & 0x33333333) + (half >> 2 & 0x33333333);
    return ((half + (half >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/// Bits set in n rows of 64.
inline std::int64_t count_rows(std::uint64_t const* rows, std::int64_t n)
{
    std::int64_t set = 0, r = 0;
    RowHalves sums{};
    for (; r + 8 <= n; r += 8) {
        RowHalves half;
        std::memcpy(&half, rows + r, sizeof half);
        sums += bits_of(half);
    }
    for (int k = 0; k < 16; ++k) set += sums[k];
    for (; r < n; ++r) set += count_bits(rows[r]);
    return set;
}

/// Each half of a row (32 bits), the lower first, becomes a word of `counted`: its bits in the
/// lower 32, and above how many are set in it and all halves before it. Behind the last follows a
/// word with no bits and their sum.
/// Contract: rows up to a multiple of eight can be read, and two words for each of them written and
/// one more.
inline void add_up_rows(std::uint64_t const* rows, std::int64_t n, std::uint64_t* counted)
{
    RowHalves const none{};
    RowHalves before{};
    for (std::int64_t r = 0; r < n; r += 8, counted += 16) {
        RowHalves half;
        std::memcpy(&half, rows + r, sizeof half);
        // Sums of 2, 4, 8, 16 halves that end here: lane 16 and on are those of `none`.
        auto sum = bits_of(half);
        sum += __builtin_shufflevector(sum, none, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                       14);
        sum += __builtin_shufflevector(sum, none, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
                                       13);
        sum += __builtin_shufflevector(sum, none, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                       11);
        sum += __builtin_shufflevector(sum, none, 16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5,
                                       6, 7);
        sum += before;
        before = none + sum[15];
        auto const low = __builtin_shufflevector(half, sum, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                                                 21, 6, 22, 7, 23);
        auto const high = __builtin_shufflevector(half, sum, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                                  13, 29, 14, 30, 15, 31);
        std::memcpy(counted, &low, sizeof low);
        std::memcpy(counted + 8, &high, sizeof high);
    }
    *counted = std::uint64_t{before[0]} << 32;
}

/// Rows of a block whose marks are counted when it is made: a count is two words looked at, however
/// large the group. Rows are made in memory that lines share, one after the other.
class CountedRows
{
  public:
    static constexpr int apart = 1;

    CountedRows() = default;
    /// Words in which so many rows are made, and in which they are kept with their counts:
    /// multiples of eight, so that all can begin at multiples of 64 bytes.
    static std::int64_t made_words(std::int64_t rows) { return (rows + 7) / 8 * 8; }
    static std::int64_t counted_words(std::int64_t rows) { return 2 * made_words(rows) + 8; }

    CountedRows(std::uint64_t* made_in, std::uint64_t* counted)
        : made_in_(made_in), counted_(counted)
    {
    }

    std::uint64_t& row(std::int64_t r) const { return made_in_[r]; }

    std::int64_t count_all(std::int64_t size) const
    {
        return count_rows(made_in_, (size + 63) / 64);
    }
    /// Counts the marks of a block whose rows are made.
    void made(std::int64_t size) const { add_up_rows(made_in_, (size + 63) / 64, counted_); }
    /// Marks before a place of the block.
    std::int64_t before(std::int64_t place) const
    {
        auto const at = static_cast<std::uint64_t>(place);
        auto const half = counted_[at / 32];
        return static_cast<std::int64_t>(half >> 32) -
               count_bits(static_cast<std::uint32_t>(half) >> at % 32);
    }
    std::int64_t count(std::int64_t from, std::int64_t end) const
    {
        if (from == end) return 0; // there may be no block yet
        return before(end) - before(from);
    }

  private:
    std::uint64_t* made_in_ = nullptr;
    std::uint64_t* counted_ = nullptr; ///< add_up_rows
};

/// A SamplingWithoutReplacement that counts the marks of a block when it is made: the same answers
/// by the same words.
class CountedLine : public SamplingState
{
  public:
    CountedLine() : SamplingState(0) {}
    /// Contract: as of SamplingWithoutReplacement.
    CountedLine(CountedRows const& rows, std::int64_t block) : SamplingState(block), rows_(rows) {}

    /// Marked ones among the next m. Contract: 0 <= m <= those not yet asked about.
    std::int64_t take(std::int64_t m, BufferedWords& words)
    {
        if (!holds(m)) return take_past_block(m, words);
        auto const found = rows_.count(place(), place() + m);
        go_to(place() + m);
        return found;
    }
    /// take(m) where opens_block(m) and so many of next_size(m) are marked.
    [[gnu::noinline]] std::int64_t take_opening(std::int64_t m, std::int64_t marked,
                                                BufferedWords& words)
    {
        return crx::take_opening(*this, rows_, m, marked, words);
    }
    /// Marked ones before a place of the open block.
    std::int64_t marks_before(std::int64_t place) const { return rows_.count(0, place); }

  private:
    [[gnu::noinline]] std::int64_t take_past_block(std::int64_t m, BufferedWords& words)
    {
        return take_marked(*this, rows_, m, words);
    }

    CountedRows rows_;
};

} // namespace
} // namespace crx

#pragma GCC diagnostic pop
