#pragma once

#include "kernels/simd/lane_vectors.cuh"

#include <type_traits>

namespace crx {
namespace {

/// Writes one number of an array of vectors.
template <int vectors, class L>
CRX_HD void put_in_lanes(L* values, int lane, std::int32_t value)
{
    auto const put = [&](int b) {
        values[b] =
            choose(equal(L::numbers(), L::all(lane - b * L::count)), L::all(value), values[b]);
    };
    if constexpr (lanes_are_threads<L>)
        for (int b = 0; b < vectors; ++b) put(b);
    else
        put(lane / L::count);
}

/// A number of each of `most` slots that is asked for one at a time: an array, or registers.
template <class L, int most>
class SlotRow
{
  public:
    CRX_HD std::int32_t operator[](int slot) const
    {
        if constexpr (lanes_are_threads<L>) {
            // Of every vector, and then one is taken: a vector taken first would be read by its
            // address.
            auto found = number_at(of_[0], slot % L::count);
            for (int b = 1; b < most / L::count; ++b) {
                auto const here = number_at(of_[b], slot % L::count);
                found = slot / L::count == b ? here : found;
            }
            return found;
        } else {
            return of_[slot];
        }
    }
    CRX_HD void put(int slot, std::int32_t value)
    {
        if constexpr (lanes_are_threads<L>)
            put_in_lanes<most / L::count>(of_, slot, value);
        else
            of_[slot] = value;
    }

  private:
    std::conditional_t<lanes_are_threads<L>, L[most / L::count], std::int32_t[most]> of_;
};

} // namespace
} // namespace crx
