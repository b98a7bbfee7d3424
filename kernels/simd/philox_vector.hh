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

/// 32-bit values of sixteen blocks: twice as many a register as words_of has, for as many products
/// and fewer other instructions.
using Halves = std::uint32_t __attribute__((vector_size(64), aligned(64)));

/// high, low: of the products of v's lanes with m.
__attribute__((target("avx512f"))) inline void multiply(Halves const& v, std::uint32_t m,
                                                        Halves& high, Halves& low)
{
    auto const factor = _mm512_set1_epi64(m);
    auto const x = reinterpret_cast<__m512i>(v);
    auto const even = _mm512_maskz_mul_epu32(0xff, x, factor);
    auto const odd = _mm512_maskz_mul_epu32(
        0xff, reinterpret_cast<__m512i>(reinterpret_cast<Lanes>(v) >> 32), factor);
    // The other half of every second lane comes from its neighbour's place.
    high = reinterpret_cast<Halves>(_mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_CDAB));
    low = reinterpret_cast<Halves>(_mm512_mask_shuffle_epi32(even, 0xaaaa, odd, _MM_PERM_CDAB));
}

/// The same of eight blocks in registers of 32 bytes.
using ShortHalves = std::uint32_t __attribute__((vector_size(32), aligned(32)));

__attribute__((target("avx2"))) inline void multiply(ShortHalves const& v, std::uint32_t m,
                                                     ShortHalves& high, ShortHalves& low)
{
    auto const factor = _mm256_set1_epi64x(m);
    auto const x = reinterpret_cast<__m256i>(v);
    auto const even = _mm256_mul_epu32(x, factor);
    auto const odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), factor);
    constexpr int every_second = 0xaa;
    high = reinterpret_cast<ShortHalves>(
        _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, every_second));
    low = reinterpret_cast<ShortHalves>(
        _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), every_second));
}

/// Counters (c0, c1, c2, c3) of blocks come in, a block's words c1:c0 and c3:c2 go out; registers
/// in turns, so that one works while another waits.
template <int parts, class Register>
[[gnu::always_inline]] inline void ten_rounds(std::uint64_t seed, Register (&c0)[parts],
                                              Register (&c1)[parts], Register (&c2)[parts],
                                              Register (&c3)[parts])
{
    std::uint32_t key_0 = low(seed), key_1 = high(seed);
#pragma GCC unroll 10
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 4
        for (int p = 0; p < parts; ++p) {
            Register high_0, low_0, high_1, low_1;
            multiply(c0[p], multiplier_0, high_0, low_0);
            multiply(c2[p], multiplier_1, high_1, low_1);
            c0[p] = high_1 ^ c1[p] ^ key_0;
            c1[p] = low_1;
            c2[p] = high_0 ^ c3[p] ^ key_1;
            c3[p] = low_0;
        }
        key_0 += weyl_0;
        key_1 += weyl_1;
    }
}
#endif

} // namespace crx::philox_vector
