#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"
#include "kernels/model/clock.cuh"
#include "kernels/model/workload.cuh"

namespace crx {

/// What the cohort engine needs of an instance: all requests arrive at 0 with one prompt length and
/// one prediction interval, so those of equal output length form a class that no policy splits by
/// anything but chance.
struct Composition
{
    std::int64_t classes = 0;
    std::int32_t* value = nullptr; ///< output length of each class, strictly ascending
    std::int64_t* count = nullptr; ///< requests of each class, at least 1
    std::int64_t requests = 0;     ///< n, their sum
    Tokens prompt = 0;             ///< s
    Tokens memory = 0;             ///< M
    std::int32_t lower = 1;        ///< l
    std::int32_t upper = 1;        ///< u
};

/// Classes of an instance that have requests, in arena memory: counts[k] requests of the workload's
/// k-th output length. Contract: the workload's values ascend strictly.
CRX_HD inline Composition take_composition(Arena& arena, WorkloadView const& w,
                                           std::int64_t const* counts)
{
    Composition c;
    c.requests = w.requests;
    c.prompt = w.prompt_constant;
    c.memory = w.memory;
    c.lower = w.interval.lower;
    c.upper = w.interval.upper;
    auto const most = static_cast<std::int64_t>(w.output_value.size());
    c.value = arena.take<std::int32_t>(most);
    c.count = arena.take<std::int64_t>(most);
    if (c.value == nullptr) return c; // the arena only counts
    for (std::int64_t k = 0; k < most; ++k) {
        auto const at = static_cast<std::size_t>(k);
        if (counts[k] == 0) continue;
        c.value[c.classes] = w.output_value[at];
        c.count[c.classes++] = counts[k];
    }
    return c;
}

/// Most different working ends at any time: each is one of the next `span` rounds.
CRX_HD inline std::int64_t most_ends(WorkloadView const& w, std::int64_t span)
{
    return w.requests < span + 1 ? w.requests : span + 1;
}

/// The sum of all times to the first token, which a request of length o has o - 1 rounds before its
/// completion. counts[k] requests have the workload's k-th length.
CRX_HD inline std::int64_t first_token_latency(std::int64_t total_latency, WorkloadView const& w,
                                               std::int64_t const* counts)
{
    for (std::size_t k = 0; k < w.output_value.size(); ++k)
        total_latency -= counts[k] * (w.output_value[k] - 1);
    return total_latency;
}

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

/// The volume bound (kernels/model/volume_bound.cuh) from counts: with one prompt length the order
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
