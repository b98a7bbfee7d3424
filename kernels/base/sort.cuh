#pragma once

#include "kernels/base/host_device.cuh"

#ifndef __CUDA_ARCH__
#include <algorithm>
#include <utility>
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

/// Sorts non-negative integers ascending. Scratch: n of them. On the CPU digit by digit (least
/// significant first), with digits in step with n, as that looks at nothing to be guessed.
template <class T>
CRX_HD void sort_integers(T* items, std::int64_t n, T* scratch)
{
#ifdef __CUDA_ARCH__
    (void)scratch;
    sort_ascending(items, n);
#else
    T all = 0;
    for (std::int64_t i = 0; i < n; ++i) all |= items[i];
    int const bits = n < 256 ? 6 : n < 8192 ? 8 : 11;
    if (n < 8 || n > INT32_MAX) return sort_ascending(items, n);
    std::uint32_t below[1 << 11];
    T *from = items, *to = scratch;
    for (int shift = 0; shift < 8 * static_cast<int>(sizeof(T)) && all >> shift != 0;
         shift += bits) {
        auto const digit = [=](T item) { return (item >> shift) & ((T{1} << bits) - 1); };
        for (int d = 0; d < 1 << bits; ++d) below[d] = 0;
        for (std::int64_t i = 0; i < n; ++i) ++below[digit(from[i])];
        std::uint32_t sum = 0;
        for (int d = 0; d < 1 << bits; ++d) {
            auto const here = below[d];
            below[d] = sum;
            sum += here;
        }
        for (std::int64_t i = 0; i < n; ++i) to[below[digit(from[i])]++] = from[i];
        std::swap(from, to);
    }
    if (from != items) std::copy(from, from + n, items);
#endif
}

} // namespace crx
