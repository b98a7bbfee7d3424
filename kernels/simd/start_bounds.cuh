#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {
namespace {

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
