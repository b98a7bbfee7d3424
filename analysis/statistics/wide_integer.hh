#pragma once

#include "kernels/base/integers.cuh"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace crx {

/// An integer of any size: moments of a tally are taken in it, so nothing cancels.
using BigInteger = boost::multiprecision::cpp_int;
/// 100 decimal digits: what an exact quotient is rounded from, once, at the end.
using BigFloat = boost::multiprecision::cpp_bin_float_100;

inline BigInteger to_big(Unsigned128 value)
{
    return (BigInteger(static_cast<std::uint64_t>(value >> 64)) << 64) |
           BigInteger(static_cast<std::uint64_t>(value));
}

inline BigInteger to_big(Unsigned192 const& value)
{
    return (BigInteger(value.high) << 128) | (BigInteger(value.middle) << 64) |
           BigInteger(value.low);
}

/// The double nearest to numerator / denominator. Contract: denominator != 0.
inline double nearest_quotient(BigInteger const& numerator, BigInteger const& denominator)
{
    CRX_EXPECT(denominator != 0);
    return static_cast<double>(BigFloat(numerator) / BigFloat(denominator));
}

} // namespace crx
