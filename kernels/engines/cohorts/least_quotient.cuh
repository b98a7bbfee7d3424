#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {
namespace {

/// In each lane the least quotient room / size of those it was shown, by products that are rounded.
///
/// Which one is least it may miss, what that is rounded down only where rooms are 2^23 (doubles:
/// 2^52) or more. Say a room r and its size s were shown to no avail though r / s < f, f being what
/// the quotient is rounded down. It only sinks, so it was at least f then, and r size rounded to
/// no less than f s size did. As f s >= r + 1, both came out as one number. Numbers that do differ
/// by at most 2^-23 of the smaller one, here by 1 / r or more, so r >= 2^23 and f s > 2^23.
template <class Lanes>
struct LeastQuotient
{
    using Number = typename Lanes::Number;
    using Mask = typename Lanes::Mask;
    using T = typename Lanes::Scalar;

    /// Where no room is larger rounded_down() is certain.
    static constexpr T sure_room = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);

    Number room, size;

    /// Contract: whole, 0 <= room < 2 sure_room and 0 < size < 2 sure_room; or room is never, and
    /// limits nothing, whatever the size.
    CRX_IN_LANES void show(Number const& room_here, Number const& size_here)
    {
        auto const less = Lanes::less(room_here * size, room * size_here);
        room = Lanes::pick(less, room_here, room);
        size = Lanes::pick(less, size_here, size);
    }
    /// Right for this one: a quotient of whole numbers misses the next whole number by at least
    /// 1 / size, more than it is rounded by, room / size 2^-24 at most.
    CRX_IN_LANES Number rounded_down() const { return Lanes::floor(Number(room / size)); }
    /// Lanes in which another may be less when rounded down. `most_size`: no size was larger.
    CRX_IN_LANES static Mask unsure(Number const& rounded_down, Number const& most_size)
    {
        return Lanes::less(Lanes::all(sure_room), rounded_down * most_size);
    }
};

} // namespace
} // namespace crx
