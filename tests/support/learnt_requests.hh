#pragma once

#include "kernels/cpu/single.hh"

#include <random>

namespace crx_test {

/// n requests with prompts up to `prompt`, outputs up to `output`, lower ends of a kind of their
/// own.
inline crx::OwnedInstance learnt_requests(std::mt19937_64& rng, std::size_t n, std::int32_t prompt,
                                          std::int32_t output, crx::Tokens memory)
{
    auto const below = [&](std::int32_t k) {
        return static_cast<std::int32_t>(rng() % static_cast<std::uint64_t>(k));
    };
    crx::OwnedInstance x;
    x.memory = memory;
    x.resize(n);
    auto const kind = below(4);
    for (std::size_t i = 0; i < n; ++i) {
        auto const o = 1 + below(output);
        int const lower[] = {1, (o + 1) / 2, 1 + (o - 1) / 10 * 10, 1 + below(o)};
        x.prompt[i] = below(prompt + 1);
        x.output[i] = o;
        x.lower[i] = lower[kind];
        x.upper[i] = 2 * o;
    }
    return x;
}

} // namespace crx_test
