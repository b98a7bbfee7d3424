#pragma once

#include "kernels/laws/table_law.cuh"

#include <optional>

namespace crx {

/// A tabulated law that is uniform on first, first + 1, .., first + values - 1, drawn without its
/// table; for the CPU.
///
/// Its thresholds are T_j = floor(j 2^64 / K + 1/2), j = 1 .. K - 1 (docs/random-choices.md). For
/// integers, w >= T_j if and only if floor((w K + h) / 2^64) >= j with h = floor((K - 1) / 2):
/// both say 2 w K + K - 1 >= j 2^65. So one product gives the value.
class UniformLaw
{
  public:
    /// The law, if this table is of that kind with at most 2^31 values.
    static std::optional<UniformLaw> of(TableLaw const& table);

    /// out[i]: the value that words[i] stands for.
    void draw(std::uint64_t const* words, std::int64_t n, std::int32_t* out) const;

  private:
    std::uint64_t values_ = 1;
    std::int32_t first_ = 0;
};

} // namespace crx
