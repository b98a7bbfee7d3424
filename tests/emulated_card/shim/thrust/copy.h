#pragma once

#include <thrust/device_vector.h>

namespace thrust {

/// From the card to the host.
template <class T, class Iterator>
Iterator copy(device_iterator<T> from, device_iterator<T> to, Iterator into)
{
    emulated::OpenMemory const open;
    return std::copy(from.get(), to.get(), into);
}

} // namespace thrust
