#pragma once

#include <thrust/device_vector.h>

namespace thrust {

template <class From, class To, class F>
void transform(device_iterator<From> from, device_iterator<From> to, device_iterator<To> into, F f)
{
    emulated::OpenMemory const open;
    std::transform(from.get(), to.get(), into.get(), f);
}

} // namespace thrust
