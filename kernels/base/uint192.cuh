#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {

using Unsigned128 = unsigned __int128;

/// Unsigned 192-bit sum: holds 2^64 products of two 64-bit numbers, so a sum of squares over any
/// number of instances is exact and does not depend on the order of addition.
struct Unsigned192
{
    std::uint64_t low = 0, middle = 0, high = 0;

    CRX_HD void add(Unsigned128 term)
    {
        Unsigned128 const below = (Unsigned128{middle} << 64) | low;
        Unsigned128 const sum = below + term;
        high += sum < below ? 1 : 0;
        low = static_cast<std::uint64_t>(sum);
        middle = static_cast<std::uint64_t>(sum >> 64);
    }
    CRX_HD void add(Unsigned192 const& term)
    {
        add((Unsigned128{term.middle} << 64) | term.low);
        high += term.high;
    }
    CRX_HD bool operator==(Unsigned192 const& other) const
    {
        return low == other.low && middle == other.middle && high == other.high;
    }
    /// Nearest double, for statistics.
    double to_double() const
    {
        return (static_cast<double>(high) * 0x1p64 + static_cast<double>(middle)) * 0x1p64 +
               static_cast<double>(low);
    }
};

} // namespace crx
