#pragma once

#include <cstdint>

namespace thrust {

template <class T>
struct reverse_iterator
{
    T* end;
    T& operator[](std::int64_t k) const { return end[-1 - k]; }
};
template <class T>
reverse_iterator<T> make_reverse_iterator(T* end)
{
    return {end};
}

} // namespace thrust
