#pragma once

#include "kernels/simd/warp_lanes.cuh"

namespace crx {
namespace {

/// Writes one number of an array of vectors of a warp. Such arrays are registers, which cannot be
/// indexed by what is not known when it is compiled.
template <int vectors>
CRX_HD void put_in_lanes(Lanes* values, int lane, std::int32_t value)
{
    for (int b = 0; b < vectors; ++b)
        values[b] = choose(equal(Lanes::numbers(), Lanes::all(lane - b * Lanes::count)),
                           Lanes::all(value), values[b]);
}

/// A number of each of `most` slots that is asked for one at a time.
template <int most>
class SlotRow
{
  public:
    CRX_HD std::int32_t operator[](int slot) const
    {
        // Of every vector, and then one is taken: a vector taken first would be read by its
        // address.
        auto found = number_at(of_[0], slot % Lanes::count);
        for (int b = 1; b < most / Lanes::count; ++b) {
            auto const here = number_at(of_[b], slot % Lanes::count);
            found = slot / Lanes::count == b ? here : found;
        }
        return found;
    }
    CRX_HD void put(int slot, std::int32_t value)
    {
        put_in_lanes<most / Lanes::count>(of_, slot, value);
    }

  private:
    Lanes of_[most / Lanes::count];
};

} // namespace
} // namespace crx
