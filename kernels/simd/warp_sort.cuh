#pragma once

#include "kernels/simd/warp_lanes.cuh"

namespace crx {
namespace {

/// Puts items[0 .. n-1] in ascending order of key(item), equal ones as they are, and returns where
/// they lie then: in `items` or in `copy`. Digit by digit, least significant first: a digit has 32
/// values, and lane d keeps where the next item with digit d goes. Contract: keys are at least 0.
template <class Key>
CRX_HD std::uint32_t* sort_in_lanes(Key key, std::int32_t n, std::uint32_t* items,
                                    std::uint32_t* copy)
{
    static_assert(sizeof(key(items[0])) <= sizeof(std::int32_t),
                  "a lane holds 32 bits: check that keys fit, then convert them");
    constexpr int digit_bits = 5;
    static_assert(1 << digit_bits == Lanes::count);
    if (n < 2) return items;
    auto const keys_at = [&](std::uint32_t const* from, std::int32_t k, LaneSet valid) {
        return lanes_of(valid, [&](int lane) { return key(from[k + lane]); });
    };
    auto const first = static_cast<std::int32_t>(key(items[0]));
    auto any = Lanes::zero();
    bool sorted = true; // often so, and then nothing need be done
    for (std::int32_t k = 0; k < n; k += Lanes::count) {
        auto const valid = LaneSet::below(n - k), others = LaneSet::below(n - k - 1);
        auto const keys = keys_at(items, k, valid);
        any = any | lanes_of(valid, [=](int lane) { return keys.own(lane) ^ first; });
        auto const next = keys_at(items, k + 1, others);
        sorted = sorted && bits_of(others & more(keys, next)) == 0;
    }
    if (sorted) return items;
    auto const bits = any_bits_of(any);
    for (int shift = 0; shift < 31 && bits >> shift != 0; shift += digit_bits) {
        if ((bits >> shift & (Lanes::count - 1)) == 0) continue;
        auto const digits_at = [&](std::int32_t k, LaneSet valid) {
            return lanes_of(valid, [&](int lane) {
                return static_cast<std::int32_t>(key(items[k + lane])) >> shift &
                       (Lanes::count - 1);
            });
        };
        auto counts = Lanes::zero();
        for (std::int32_t k = 0; k < n; k += Lanes::count) {
            auto const valid = LaneSet::below(n - k);
            counts = counts + counts_of(lanes_with(valid, digits_at(k, valid)));
        }
        auto place = sums_below(counts);
        for (std::int32_t k = 0; k < n; k += Lanes::count) {
            auto const valid = LaneSet::below(n - k);
            auto const moved = lanes_of(
                valid, [&](int lane) { return static_cast<std::int32_t>(items[k + lane]); });
            auto const digits = digits_at(k, valid);
            auto const with = lanes_with(valid, digits);
            scatter(valid, copy, numbers_at(place, digits) + counts_below(numbers_at(with, digits)),
                    moved);
            place = place + counts_of(with);
        }
        auto* const swapped = items;
        items = copy;
        copy = swapped;
    }
    return items;
}

} // namespace
} // namespace crx
