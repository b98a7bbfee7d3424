#pragma once

#include "kernels/random/marked_rows.cuh"

#include <cstring>

namespace crx {

/// Rows of a block whose marks are counted when it is made: a count is two words looked at, however
/// large the group. For the CPU. Rows are made in memory that lines share, one after the other.
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
        auto const rows = (size + 63) / 64;
        std::int64_t set = 0, r = 0;
        Halves sums{};
        for (; r + 8 <= rows; r += 8) {
            Halves half, bits;
            count_bits_of(made_in_ + r, half, bits);
            sums += bits;
        }
        for (int k = 0; k < 16; ++k) set += sums[k];
        for (; r < rows; ++r) set += count_bits(made_in_[r]);
        return set;
    }
    /// Counts the marks of a block whose rows are made.
    void made(std::int64_t size) const
    {
        std::uint32_t before = 0;
        std::int64_t r = 0;
        for (; 64 * r < size; r += 8) before = count_eight(made_in_ + r, before, counted_ + 2 * r);
        counted_[2 * r] = std::uint64_t{before} << 32;
    }
    /// Marks before a place of the block.
    std::int64_t before(std::int64_t place) const
    {
        auto const at = static_cast<std::uint64_t>(place);
        auto const half = counted_[at / 32];
        return static_cast<std::int64_t>(half >> 32) +
               count_bits(half & ((std::uint64_t{1} << at % 32) - 1));
    }
    std::int64_t count(std::int64_t from, std::int64_t end) const
    {
        if (from == end) return 0; // there may be no block yet
        return before(end) - before(from);
    }

  private:
    /// Halves of eight rows.
    using Halves = std::uint32_t __attribute__((vector_size(64)));

    /// The halves of eight rows, and how many bits are set in each.
    static void count_bits_of(std::uint64_t const* rows, Halves& half, Halves& bits)
    {
        std::memcpy(&half, rows, sizeof half);
        bits = half - (half >> 1 & 0x55555555); // of 2, 4, 8, 32 bits
        bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
        bits = ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
    }
    /// Eight rows as sixteen halves, each below the number of marks before it; the number before
    /// what comes next.
    static std::uint32_t count_eight(std::uint64_t const* rows, std::uint32_t before,
                                     std::uint64_t* counted)
    {
        Halves half, own;
        count_bits_of(rows, half, own);
        // Sums of 2, 4, 8, 16 halves that end here: lane 16 and on are those of `none`.
        Halves const none{}, one{16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
            two{16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
            four{16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
            eight{16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7};
        auto sum = own + __builtin_shuffle(own, none, one);
        sum += __builtin_shuffle(sum, none, two);
        sum += __builtin_shuffle(sum, none, four);
        sum += __builtin_shuffle(sum, none, eight);
        auto const marks = sum - own + before;
        Halves const first{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23};
        auto const low = __builtin_shuffle(half, marks, first);
        auto const high = __builtin_shuffle(half, marks, first + 8);
        std::memcpy(counted, &low, sizeof low);
        std::memcpy(counted + 8, &high, sizeof high);
        return before + sum[15];
    }

    std::uint64_t* made_in_ = nullptr;
    std::uint64_t* counted_ = nullptr; ///< halves of rows: their bits below, above the marks before
};

} // namespace crx
