#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/base/warp_lanes.cuh"

namespace crx {
namespace {

// Arrays in memory moved by a warp. Several vectors are read before the first is written, as
// waiting for one of them takes as long as for all.
inline constexpr int moved_at_once = 8;

template <class T>
CRX_HD void move_vectors(T const* from, T* to, std::int32_t count)
{
    Lanes part[moved_at_once];
    for (int b = 0; b < moved_at_once; ++b)
        part[b] = gather(LaneSet::below(count - b * Lanes::count), from + b * Lanes::count,
                         Lanes::numbers());
    for (int b = 0; b < moved_at_once; ++b)
        store_where(LaneSet::below(count - b * Lanes::count), to + b * Lanes::count, part[b]);
}
/// Moves at[0 .. count-1] one place up.
template <class T>
CRX_HD void move_up(T* at, std::int32_t count)
{
    constexpr std::int32_t most = moved_at_once * Lanes::count;
    for (auto end = count; end > 0; end -= most) {
        auto const start = end > most ? end - most : 0;
        move_vectors(at + start, at + start + 1, end - start);
    }
}
/// Moves `count` items one place down.
template <class T>
CRX_HD void move_down(T* at, std::int32_t count)
{
    constexpr std::int32_t most = moved_at_once * Lanes::count;
    for (std::int32_t k = 0; k < count; k += most) {
        auto const left = count - k;
        move_vectors(at + k, at + k - 1, left < most ? left : most);
    }
}

/// How many of at[0 .. count-1], which ascend, are below a number: every look at 32 of them leaves
/// a thirty-third of the rest.
CRX_HD inline std::int32_t count_below(std::uint32_t const* at, std::int32_t count,
                                       std::uint32_t number)
{
    std::int32_t low = 0;
    while (count > 0) {
        auto const step = (count + Lanes::count - 1) / Lanes::count;
        auto const below = count_bits(bits_of(set_of([=](int lane) {
            auto const k = lane * step;
            return k < count && at[low + k] < number;
        })));
        if (below == 0) return low;
        // The last of those seen that is below, and what is before the next that was seen.
        auto const first = (below - 1) * step + 1, end = below * step;
        low += first;
        count = (end < count ? end : count) - first;
    }
    return low;
}

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

/// In each lane the round from which on a request (s, e) that is to start in round t, or when this
/// has grown to the bound of another lane, passes the check at that lane's end: `held` is what
/// those hold then that end then or later, `heads` how many they are.
///
/// An end up to its own demands a start of its own: when enough room is left then, or at the end
/// itself. A later end whose requests alone leave too little room at its own end will be among them
/// before it gets better; else it demands nothing, 0.
template <class Vector>
CRX_HD inline Vector start_bounds(Vector end, Vector held, Vector heads, std::int32_t t,
                                  std::int32_t s, std::int32_t e, std::int32_t memory)
{
    auto const after = end - Vector::all(t + e), over = held + Vector::all(s - memory);
    auto const before_own = end + smaller(over, Vector::zero());
    auto const past_own =
        sum_or_zero(more(over + Vector::all(e), heads * after), end, Vector::all(1 - e));
    return choose(more(after, Vector::zero()), past_own, before_own);
}

} // namespace
} // namespace crx
