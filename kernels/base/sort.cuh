#pragma once

#include "kernels/base/host_device.cuh"

#ifndef __CUDA_ARCH__
#include <algorithm>
#endif

namespace crx {

/// Heap sort in place. Thrust's sequential sort allocates from the device heap, which is small and
/// shared by all threads; this takes no memory at all.
template <class T>
CRX_HD void heap_sort(T* items, std::int64_t n)
{
    auto const sink = [items](std::int64_t at, std::int64_t size) {
        T const item = items[at];
        for (;;) {
            auto child = 2 * at + 1;
            if (child >= size) break;
            if (child + 1 < size && items[child] < items[child + 1]) ++child;
            if (!(item < items[child])) break;
            items[at] = items[child];
            at = child;
        }
        items[at] = item;
    };
    for (auto at = n / 2 - 1; at >= 0; --at) sink(at, n);
    for (auto size = n - 1; size > 0; --size) {
        T const largest = items[0];
        items[0] = items[size];
        items[size] = largest;
        sink(0, size);
    }
}

/// Sorts ascending. Equal items must be indistinguishable: which sort runs depends on the
/// processor.
template <class T>
CRX_HD void sort_ascending(T* items, std::int64_t n)
{
    bool sorted = true; // often so, and then nothing need be done
    for (std::int64_t i = 1; i < n && sorted; ++i) sorted = !(items[i] < items[i - 1]);
    if (sorted) return;
#ifdef __CUDA_ARCH__
    heap_sort(items, n);
#else
    std::sort(items, items + n);
#endif
}

} // namespace crx
