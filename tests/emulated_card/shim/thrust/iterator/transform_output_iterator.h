#pragma once

#include <cstdint>

namespace thrust {

template <class F, class To>
struct transform_output_iterator
{
    struct Place
    {
        transform_output_iterator const& all;
        std::int64_t k;
        template <class T>
        void operator=(T const& value)
        {
            all.to[k] = all.f(value);
        }
    };
    To to;
    F f;
    Place operator[](std::int64_t k) const { return {*this, k}; }
};
template <class F, class To>
transform_output_iterator<F, To> make_transform_output_iterator(To to, F f)
{
    return {to, f};
}

} // namespace thrust
