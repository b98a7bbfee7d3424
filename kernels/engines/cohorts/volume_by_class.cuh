#pragma once

#include "kernels/base/uint192.cuh"
#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/model/clock.cuh"

namespace crx {

/// sum over j = 0 .. n-1 of floor((a j + b) / m), by the steps of Euclid's algorithm.
/// Contract: n, a, b >= 0, m >= 1; all products below 2^127. Cost: O(log m).
/// Source: Graham, Knuth and Patashnik, Concrete Mathematics (1994), section 3.5.
CRX_HD inline Unsigned128 sum_of_floors(Unsigned128 n, Unsigned128 m, Unsigned128 a, Unsigned128 b)
{
    Unsigned128 sum = 0;
    while (n > 0) {
        sum += n * (n - 1) / 2 * (a / m) + n * (b / m);
        a %= m;
        b %= m;
        auto const top = a * n + b;
        if (top < m) break;
        // The lattice points below the line, counted along the other axis.
        n = top / m;
        b = top % m;
        auto const held = m;
        m = a;
        a = held;
    }
    return sum;
}

/// The volume bound (kernels/model/bounds/volume.cuh) from counts: with one prompt length the order
/// by volume is that by length, so within a class the bound is its length for the first few and a
/// sum of equally spaced quotients for the rest. The same integer at a cost that does not grow with
/// n. 0, no value, where it is 2^62 or more.
CRX_HD inline std::int64_t volume_by_class(Composition const& c)
{
    auto const memory = static_cast<Unsigned128>(c.memory);
    Unsigned128 before = 0; // volume of the shorter classes
    Unsigned128 total = 0;
    for (std::int64_t k = 0; k < c.classes; ++k) {
        auto const o = std::int64_t{c.value[k]}, count = c.count[k];
        auto const volume = static_cast<Unsigned128>(c.prompt) * static_cast<Unsigned128>(o) +
                            static_cast<Unsigned128>(o) * static_cast<Unsigned128>(o + 1) / 2;
        // The j-th of the class (j = 1 .. count) has o as long as before + j volume <= o M.
        auto const room = memory * static_cast<Unsigned128>(o);
        auto const by_length = room < before ? Unsigned128{0} : (room - before) / volume;
        auto const first = by_length < static_cast<Unsigned128>(count)
                               ? static_cast<std::int64_t>(by_length)
                               : count;
        total += static_cast<Unsigned128>(first) * static_cast<Unsigned128>(o);
        total += sum_of_floors(static_cast<Unsigned128>(count - first), memory, volume,
                               before + static_cast<Unsigned128>(first + 1) * volume + memory - 1);
        before += static_cast<Unsigned128>(count) * volume;
    }
    return total < static_cast<Unsigned128>(time_limit) ? static_cast<std::int64_t>(total) : 0;
}

} // namespace crx
