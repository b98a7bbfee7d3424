#pragma once

#include <thrust/device_vector.h>

namespace thrust {

/// A key and the sum of the values of each run of equal keys; where they end.
template <class Key, class Values, class Sum>
std::pair<device_iterator<Key>, device_iterator<Sum>>
reduce_by_key(device_iterator<Key> from, device_iterator<Key> to, Values values,
              device_iterator<Key> keys, device_iterator<Sum> sums)
{
    emulated::OpenMemory const open;
    auto* key = keys.get();
    auto* sum = sums.get();
    for (auto* at = from.get(); at != to.get(); ++at, ++values) {
        if (at == from.get() || *at != key[-1]) {
            *key++ = *at;
            *sum++ = *values;
        } else {
            sum[-1] += *values;
        }
    }
    return {device_iterator<Key>(key), device_iterator<Sum>(sum)};
}

} // namespace thrust
