#pragma once

#include "kernels/base/host_device.cuh"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define CRX_X86_VECTORS 1
#endif

// CPU only. Philox4x32-10 for eight blocks side by side; what differs between them is up to the
// caller. Included where functions for each kind of processor are made of it.
namespace crx::philox_vector {

inline constexpr int lanes = 8; ///< blocks that are computed side by side

// Constants of Philox4x32 (Salmon, Moraes, Dror and Shaw 2011, table 2 and section 3.3).
inline constexpr std::uint32_t multiplier_0 = 0xd2511f53, multiplier_1 = 0xcd9e8d57;
inline constexpr std::uint32_t weyl_0 = 0x9e3779b9, weyl_1 = 0xbb67ae85;
inline constexpr int rounds = 10;

constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

/// A 32-bit value of each block, in 64 bits so that a product keeps its place.
using Lanes = std::uint64_t __attribute__((vector_size(8 * lanes), aligned(8 * lanes)));

/// The two words of each of eight blocks: counters (d0, d1, d2, d3) come in, (even, odd) words go
/// out. multiply(v, m, product): product of the low 32 bits of each lane with m < 2^32.
template <class Multiply>
[[gnu::always_inline]] inline void words_of(std::uint64_t seed, Lanes const& d0, Lanes const& d1,
                                            Lanes const& d2, Lanes const& d3, Multiply multiply,
                                            Lanes& even, Lanes& odd)
{
    auto c0 = d0, c1 = d1, c2 = d2, c3 = d3;
    constexpr std::uint64_t low_half = 0xffffffff;
    std::uint32_t key_0 = low(seed), key_1 = high(seed);
    for (int round = 0; round < rounds; ++round) {
        Lanes product_0, product_1;
        multiply(c0, multiplier_0, product_0);
        multiply(c2, multiplier_1, product_1);
        c0 = (product_1 >> 32) ^ c1 ^ std::uint64_t{key_0};
        c1 = product_1 & low_half;
        c2 = (product_0 >> 32) ^ c3 ^ std::uint64_t{key_1};
        c3 = product_0 & low_half;
        key_0 += weyl_0;
        key_1 += weyl_1;
    }
    even = c0 | c1 << 32;
    odd = c2 | c3 << 32;
}

struct MultiplyPlain
{
    void operator()(Lanes const& v, std::uint32_t m, Lanes& product) const
    {
        product = v * std::uint64_t{m};
    }
};

#ifdef CRX_X86_VECTORS
// GCC has no name for a product of the low halves of lanes but the processor's own.
struct MultiplyAvx512
{
    __attribute__((target("avx512f"))) void operator()(Lanes const& v, std::uint32_t m,
                                                       Lanes& product) const
    {
        product = reinterpret_cast<Lanes>(
            _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(v), _mm512_set1_epi64(m)));
    }
};
struct MultiplyAvx2
{
    __attribute__((target("avx2"))) void operator()(Lanes const& v, std::uint32_t m,
                                                    Lanes& product) const
    {
        auto const* const half = reinterpret_cast<__m256i_u const*>(&v);
        auto* const to = reinterpret_cast<__m256i_u*>(&product);
        to[0] = _mm256_mul_epu32(half[0], _mm256_set1_epi64x(m));
        to[1] = _mm256_mul_epu32(half[1], _mm256_set1_epi64x(m));
    }
};
#endif

} // namespace crx::philox_vector
