#pragma once

namespace thrust {

template <class T>
struct constant_iterator
{
    T value;
    T operator*() const { return value; }
    constant_iterator& operator++() { return *this; }
};
template <class T>
constant_iterator<T> make_constant_iterator(T value)
{
    return {value};
}

} // namespace thrust
