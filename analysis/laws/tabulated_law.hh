#pragma once

#include <cstdint>
#include <vector>

namespace crx {

/// A law of integers as a draw reads it (docs/random-choices.md).
///
/// The word w stands for value[k], k the least with w < threshold[k], or the last value if there is
/// none; so P(value[k]) is exactly (threshold[k] - threshold[k-1]) / 2^64, where the last threshold
/// is read as 2^64 though it is stored as 2^64 - 1.
struct TabulatedLaw
{
    std::vector<std::int32_t> value;      ///< ascending; only values that some word stands for
    std::vector<std::uint64_t> threshold; ///< ascending, as many as values

    bool operator==(TabulatedLaw const&) const = default;
};

} // namespace crx
