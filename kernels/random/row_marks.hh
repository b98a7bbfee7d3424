#pragma once

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

} // namespace crx
