#pragma once

#include "kernels/cohort/overflow_draw.cuh"

// CPU only: included where code is made for wider vectors too, so nothing here is shared.

namespace crx {
namespace {

/// 2 floor(sqrt(n)): a table, as nothing else is to be done while a root is taken.
struct RootSpreads
{
    static constexpr std::int64_t size = 1024;
    std::uint8_t of[size] = {};

    constexpr RootSpreads()
    {
        for (int root = 0; root * root < size; ++root)
            for (int n = root * root; n < size; ++n) of[n] = static_cast<std::uint8_t>(2 * root);
    }
};
constexpr RootSpreads root_spreads{};

/// OverflowDraw::guess, the same number. No branch tells whether the deviation is more than half.
inline std::int64_t overflow_guess(Tokens excess, std::int64_t left, Tokens held)
{
    if (left == 1 || excess * left < 8 * held) return 1;
    auto const likely = excess * left / held;
    if (likely >= RootSpreads::size) [[unlikely]]
        return OverflowDraw::guess(excess, left, held);
    auto const less = likely - root_spreads.of[likely], half = likely / 2;
    return less > half ? less : half;
}

} // namespace
} // namespace crx
