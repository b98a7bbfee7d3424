#pragma once

#include "kernels/random/marked_rows.cuh"

#include <cstdint>

namespace crx {

/// Bits set in n rows of 64. For the CPU, compiled for each of its instruction sets.
std::int64_t count_rows(std::uint64_t const* rows, std::int64_t n);

/// Each half of a row (32 bits), the lower first, becomes a word of `counted`: its bits in the
/// lower 32, and above how many are set in it and all halves before it. Behind the last follows a
/// word with no bits and their sum. For the CPU.
/// Contract: rows up to a multiple of eight can be read, and two words for each of them written and
/// one more.
void add_up_rows(std::uint64_t const* rows, std::int64_t n, std::uint64_t* counted);

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

} // namespace crx
