#pragma once

#include "kernels/simd/in_lanes.hh"

#include <cstdint>

namespace crx {

/// The names of lanes.hh for a vector of one 32-bit integer, so that what is written with them runs
/// in a thread of a GPU too.
struct OneLane
{
    std::int32_t v;

    CRX_IN_LANES static OneLane zero() { return {0}; }
    CRX_IN_LANES static OneLane all(std::int32_t value) { return {value}; }
};

CRX_IN_LANES OneLane operator+(OneLane a, OneLane b) { return {a.v + b.v}; }
CRX_IN_LANES OneLane operator-(OneLane a, OneLane b) { return {a.v - b.v}; }
CRX_IN_LANES OneLane smaller(OneLane a, OneLane b) { return a.v < b.v ? a : b; }
CRX_IN_LANES OneLane smaller_unsigned(OneLane a, OneLane b)
{
    return static_cast<std::uint32_t>(a.v) < static_cast<std::uint32_t>(b.v) ? a : b;
}
CRX_IN_LANES OneLane larger(OneLane a, OneLane b) { return a.v > b.v ? a : b; }
CRX_IN_LANES bool less(OneLane a, OneLane b) { return a.v < b.v; }
CRX_IN_LANES bool less(bool mask, OneLane a, OneLane b) { return mask && a.v < b.v; }
CRX_IN_LANES bool differ(OneLane a, OneLane b) { return a.v != b.v; }
CRX_IN_LANES bool differ(bool mask, OneLane a, OneLane b) { return mask && a.v != b.v; }
CRX_IN_LANES OneLane choose(bool mask, OneLane a, OneLane b) { return mask ? a : b; }
CRX_IN_LANES OneLane add_where(bool mask, OneLane a, OneLane b) { return {mask ? a.v + b.v : a.v}; }
CRX_IN_LANES OneLane count_where(bool mask, OneLane a) { return {mask ? a.v + 1 : a.v}; }

} // namespace crx
