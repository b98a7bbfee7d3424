#pragma once

#include "kernels/simd/processor.hh"

#include <cstdint>

namespace crx {

/// Counts the bits set in rows of 64. For the CPU; every form gives the same numbers.
struct RowMarks
{
    /// Of so many rows.
    std::int64_t (*count)(std::uint64_t const* rows, std::int64_t n);
    /// Each half of a row (32 bits), the lower first, becomes a word of `counted`: its bits in the
    /// lower 32, and above how many are set in it and all halves before it. Behind the last follows
    /// a word with no bits and their sum.
    /// Contract: rows up to a multiple of eight can be read, and two words for each of them written
    /// and one more.
    void (*add_up)(std::uint64_t const* rows, std::int64_t n, std::uint64_t* counted);
};

/// The form for processors of this width. Contract: the processor has it.
RowMarks const& row_marks(LaneWidth width = lane_width());

} // namespace crx
