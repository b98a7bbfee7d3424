#pragma once

#include "kernels/base/uint192.cuh"

namespace crx {

/// A height to compare a probability with: a uniform real in [low, low + spread) 2^-(unit + i).
/// Contract: 0 < spread, low + spread <= 2^unit, unit <= 63, i >= 0.
struct UniformHeight
{
    std::uint64_t low;
    std::uint32_t spread;
    int unit;
    std::int64_t i;

    /// Not even its logarithm is known well.
    CRX_HD bool tells_little() const { return low >> 8 < spread; }

    // In units of 2^-(127 + i): its lower end and its width, and both when a further word of the
    // bits that it lacks is known.
    CRX_HD Unsigned128 known() const { return Unsigned128{low} << (127 - unit); }
    CRX_HD Unsigned128 unknown() const { return Unsigned128{spread} << (127 - unit); }
    CRX_HD Unsigned128 known(std::uint64_t further) const
    {
        return ((Unsigned128{low} << 64) + Unsigned128{further} * spread) << (63 - unit);
    }
    CRX_HD Unsigned128 unknown_behind() const { return Unsigned128{spread} << (63 - unit); }
};

} // namespace crx
