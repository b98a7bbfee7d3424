#pragma once

#include <thrust/device_vector.h>

namespace thrust {

template <class T>
void sort(device_iterator<T> from, device_iterator<T> to)
{
    emulated::OpenMemory const open;
    std::sort(from.get(), to.get());
}

} // namespace thrust
