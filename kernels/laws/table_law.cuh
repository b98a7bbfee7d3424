#pragma once

#include "kernels/base/host_device.cuh"

#include <span>

namespace crx {

/// A tabulated law.
struct TableLaw
{
    std::span<std::int32_t const> value;
    std::span<std::uint64_t const> threshold;

    /// The value a word stands for: that of the least k with word < threshold[k], else the last.
    CRX_HD std::int32_t draw(std::uint64_t word) const
    {
        std::size_t low = 0, high = value.size() - 1;
        while (low < high) {
            auto const middle = (low + high) / 2;
            if (word < threshold[middle])
                high = middle;
            else
                low = middle + 1;
        }
        return value[low];
    }
};

} // namespace crx
