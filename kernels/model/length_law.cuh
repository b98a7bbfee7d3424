#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/base/processor.hh"

#include <optional>
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

/// A tabulated law that is uniform on first, first + 1, .., first + values - 1, drawn without its
/// table.
///
/// Its thresholds are T_j = floor(j 2^64 / K + 1/2), j = 1 .. K - 1 (docs/random-choices.md). For
/// integers, w >= T_j if and only if floor((w K + h) / 2^64) >= j with h = floor((K - 1) / 2):
/// both say 2 w K + K - 1 >= j 2^65. So one product gives the value.
struct UniformLaw
{
    std::uint64_t values = 1; ///< K, at most 2^31
    std::int32_t first = 0;

    /// The law, if this table is of that kind; host only.
    static std::optional<UniformLaw> of(TableLaw const& table);

    /// The value a word stands for.
    CRX_HD std::int32_t draw(std::uint64_t word) const
    {
        auto const low = (word & 0xffffffff) * values + (values - 1) / 2;
        auto const high = (word >> 32) * values + (low >> 32);
        return first + static_cast<std::int32_t>(high >> 32);
    }
    /// out[i]: the value that words[i] stands for; host only.
    void draw(std::uint64_t const* words, std::int64_t n, std::int32_t* out) const;
};

/// UniformLaw::draw of n words.
CRX_FOR_EACH_LEVEL(void draw_uniform(UniformLaw law, std::uint64_t const* words, std::int64_t n,
                                     std::int32_t* out);)

} // namespace crx
