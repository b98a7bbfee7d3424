#pragma once

#include <cstdint>

namespace thrust {

template <class F, class From>
struct transform_iterator
{
    From from;
    F f;
    auto operator[](std::int64_t k) const { return f(from[k]); }
};
template <class F, class From>
transform_iterator<F, From> make_transform_iterator(From from, F f)
{
    return {from, f};
}

} // namespace thrust
