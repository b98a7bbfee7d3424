#pragma once

#include "kernels/random/hypergeometric.cuh"

#include <vector>

namespace crx {

/// A draw and what it took.
struct CheckedDraw
{
    std::int64_t marked;
    std::uint64_t words;
    bool operator==(CheckedDraw const&) const = default;
};

/// A hypergeometric draw whose numbers are drawn too: of all sizes from 1 bit to 31, every second
/// one of the largest, where logarithms decide least.
CRX_HD inline CheckedDraw checked_draw(std::uint64_t seed, std::uint64_t number)
{
    constexpr std::uint32_t stream = 15; // used nowhere else
    WordStream words(seed, stream, number);
    auto const bits = words.bounded(2) == 0 ? 31 : 1 + words.bounded(31);
    auto const below = [&](std::int64_t most) {
        return static_cast<std::int64_t>(words.bounded(static_cast<std::uint64_t>(most) + 1));
    };
    auto const population = 1 + below((std::int64_t{1} << bits) - 1);
    auto const marked = below(population);
    auto const draws = below(population);
    auto const found = hypergeometric(population, marked, draws, words);
    return {found, words.used()};
}

/// checked_draw() of `count` numbers from `first` on, on all threads of the CPU.
std::vector<CheckedDraw> checked_draws_host(std::uint64_t seed, std::int64_t first,
                                            std::int64_t count);

/// checked_draw() of `count` numbers from `first` on, on the chosen CUDA device. Throws
/// std::runtime_error where there is none.
std::vector<CheckedDraw> checked_draws_device(std::uint64_t seed, std::int64_t first,
                                              std::int64_t count);

/// Ends a kernel by a broken contract, to see what a GPU makes of it: throws std::runtime_error
/// with the GPU's error. The GPU is of no more use to the process then.
void break_contract_on_device();

} // namespace crx
