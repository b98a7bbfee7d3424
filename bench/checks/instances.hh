#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/random/word_stream.cuh"

namespace crx {

/// JAILLET 5.1: s uniform on 1 .. 5, o uniform on 1 .. M - s, all at 0. memory 0: M uniform on
/// 30 .. 50; n 0: uniform on 40 .. 60.
inline OwnedInstance jaillet_instance(std::uint64_t number, std::int64_t n, Tokens memory)
{
    WordStream words(2026, 0, number);
    OwnedInstance instance;
    instance.memory = memory > 0 ? memory : 30 + static_cast<Tokens>(words.bounded(21));
    if (n == 0) n = 40 + static_cast<std::int64_t>(words.bounded(21));
    for (std::int64_t i = 0; i < n; ++i) {
        auto const s = 1 + static_cast<std::int32_t>(words.bounded(5));
        instance.prompt.push_back(s);
        instance.output.push_back(1 + static_cast<std::int32_t>(words.bounded(
                                          static_cast<std::uint64_t>(instance.memory - s))));
        instance.arrival.push_back(0);
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// n equal requests (s, o), all at 0: JAILLET Theorem 4.3.
inline OwnedInstance identical(Rounds n, std::int32_t s, std::int32_t o, Tokens memory)
{
    OwnedInstance instance;
    auto const count = static_cast<std::size_t>(n);
    instance.memory = memory;
    instance.arrival.assign(count, 0);
    instance.prompt.assign(count, s);
    instance.output.assign(count, o);
    instance.lower = instance.upper = instance.output;
    return instance;
}

} // namespace crx
