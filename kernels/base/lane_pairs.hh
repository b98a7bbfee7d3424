#pragma once

#include "kernels/base/lane_numbers.hh"

#include <type_traits>

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// Two registers: each operation is done on both, on the one while that on the other waits.
template <class V>
struct Pair
{
    V first, second;
};

template <class F, class V, class... More>
CRX_IN_LANES auto in_pair(F f, Pair<V> const& a, Pair<More> const&... more)
{
    using Result = std::remove_cvref_t<decltype(f(a.first, more.first...))>;
    return Pair<Result>{f(a.first, more.first...), f(a.second, more.second...)};
}

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

// Masks of 8 bits are put into an int by their operators.
#define CRX_PAIR_OPERATOR(op)                                                                      \
    template <class V>                                                                             \
    CRX_IN_LANES Pair<V> operator op(Pair<V> const& a, Pair<V> const& b)                           \
    {                                                                                              \
        return {static_cast<V>(a.first op b.first), static_cast<V>(a.second op b.second)};         \
    }                                                                                              \
    template <class V, Arithmetic T>                                                               \
    CRX_IN_LANES Pair<V> operator op(Pair<V> const& a, T b)                                        \
    {                                                                                              \
        return {a.first op b, a.second op b};                                                      \
    }                                                                                              \
    template <class V, Arithmetic T>                                                               \
    CRX_IN_LANES Pair<V> operator op(T a, Pair<V> const& b)                                        \
    {                                                                                              \
        return {a op b.first, a op b.second};                                                      \
    }                                                                                              \
    template <class V, class X>                                                                    \
    CRX_IN_LANES Pair<V>& operator op##=(Pair<V>& a, X const& b)                                   \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
CRX_PAIR_OPERATOR(+)
CRX_PAIR_OPERATOR(-)
CRX_PAIR_OPERATOR(*)
CRX_PAIR_OPERATOR(/)
CRX_PAIR_OPERATOR(&)
CRX_PAIR_OPERATOR(|)
CRX_PAIR_OPERATOR(^)
CRX_PAIR_OPERATOR(<<)
CRX_PAIR_OPERATOR(>>)
#undef CRX_PAIR_OPERATOR
template <class V>
CRX_IN_LANES Pair<V> operator-(Pair<V> const& a)
{
    return {-a.first, -a.second};
}
template <class V>
CRX_IN_LANES Pair<V> operator~(Pair<V> const& a)
{
    return {~a.first, ~a.second};
}

/// LaneNumbers<double> of two registers, the lanes of the first before those of the second.
struct LanePairs
{
    using One = LaneNumbers<double>;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes" // the alignment is theirs without it
    using Number = Pair<One::Number>;
    using Whole = Pair<One::Whole>;
    using Mask = Pair<One::Mask>;
#pragma GCC diagnostic pop
    static constexpr int lanes = 2 * One::lanes;

#define CRX_IN_PAIR(name)                                                                          \
    template <class... X>                                                                          \
    CRX_IN_LANES static auto name(X const&... x)                                                   \
    {                                                                                              \
        return in_pair([](auto const&... y) CRX_LAMBDA_IN_LANES { return One::name(y...); },       \
                       x...);                                                                      \
    }
    CRX_IN_PAIR(number)
    CRX_IN_PAIR(as_whole)
    CRX_IN_PAIR(as_number)
    CRX_IN_PAIR(words_at)
    CRX_IN_PAIR(less)
    CRX_IN_PAIR(at_most)
    CRX_IN_PAIR(pick)
    CRX_IN_PAIR(where)
    CRX_IN_PAIR(add_where)
    CRX_IN_PAIR(floor)
    CRX_IN_PAIR(larger)
    CRX_IN_PAIR(smaller)
    CRX_IN_PAIR(magnitude)
    CRX_IN_PAIR(root)
    CRX_IN_PAIR(near_inverse)
    CRX_IN_PAIR(rough_inverse_root)
#undef CRX_IN_PAIR

    CRX_IN_LANES static Number look_up(double const* from, Whole const& place)
    {
        return {One::look_up(from, place.first), One::look_up(from, place.second)};
    }
    CRX_IN_LANES static unsigned highest_bits(Whole const& x)
    {
        return One::highest_bits(x.first) | One::highest_bits(x.second) << One::lanes;
    }
    CRX_IN_LANES static unsigned bits(Mask const& mask)
    {
        return One::bits(mask.first) | One::bits(mask.second) << One::lanes;
    }
    CRX_IN_LANES static Mask of_bits(unsigned bits)
    {
        return {One::of_bits(bits & ((1u << One::lanes) - 1)), One::of_bits(bits >> One::lanes)};
    }
};

} // namespace
} // namespace crx
