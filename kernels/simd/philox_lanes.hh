#pragma once

#include "kernels/simd/lane_moves.hh"

// Philox4x32-10 for as many blocks as a register has lanes of 32 bits.
// Source: Salmon, Moraes, Dror and Shaw (2011), doi:10.1145/2063384.2063405, table 2 and section
// 3.3, where the constants are from.
namespace crx {
namespace {

using PhiloxLanes = Lanes<std::uint32_t>;

/// `parts` registers of counters, or of words once ten_rounds() is done: word 2 d of a block is
/// c1 c0, word 2 d + 1 is c3 c2, the upper half first.
template <int parts>
struct PhiloxBlocks
{
    PhiloxLanes c0[parts], c1[parts], c2[parts], c3[parts];

    /// Registers in turns, so that one works while another waits.
    CRX_IN_LANES void ten_rounds(std::uint64_t seed)
    {
        auto const multiplier_0 = PhiloxLanes::all(0xd2511f53u),
                   multiplier_1 = PhiloxLanes::all(0xcd9e8d57u);
        auto key_0 = static_cast<std::uint32_t>(seed),
             key_1 = static_cast<std::uint32_t>(seed >> 32);
#pragma GCC unroll 10
        for (int round = 0; round < 10; ++round) {
            auto const k0 = PhiloxLanes::all(key_0), k1 = PhiloxLanes::all(key_1);
#pragma GCC unroll 4
            for (int p = 0; p < parts; ++p) {
                auto const first = products_with(c0[p], multiplier_0),
                           second = products_with(c2[p], multiplier_1);
                c0[p] = second.high ^ c1[p] ^ k0;
                c1[p] = second.low;
                c2[p] = first.high ^ c3[p] ^ k1;
                c3[p] = first.low;
            }
            key_0 += 0x9e3779b9;
            key_1 += 0xbb67ae85;
        }
    }
};

} // namespace
} // namespace crx
