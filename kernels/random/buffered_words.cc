#include "kernels/random/buffered_words.hh"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define CRX_X86_VECTORS 1
#endif

namespace crx {
namespace {

// Constants of Philox4x32 (Salmon, Moraes, Dror and Shaw 2011, table 2 and section 3.3).
constexpr std::uint32_t multiplier_0 = 0xd2511f53, multiplier_1 = 0xcd9e8d57;
constexpr std::uint32_t weyl_0 = 0x9e3779b9, weyl_1 = 0xbb67ae85;
constexpr int rounds = 10;
constexpr int lanes = 8; ///< blocks that are computed side by side

constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

/// Blocks of one stream, from number `first` on, in groups of `lanes`.
struct Batch
{
    std::uint64_t seed, instance, first;
    std::uint32_t stream;
    int groups;
    std::uint64_t* words;
};

/// A 32-bit value of each block, in 64 bits so that a product keeps its place.
using Lanes = std::uint64_t __attribute__((vector_size(8 * lanes)));

/// multiply(v, m, product): product of the low 32 bits of each lane with m < 2^32.
template <class Multiply>
[[gnu::always_inline]] inline void fill(Batch batch, Multiply multiply)
{
    constexpr std::uint64_t low_half = 0xffffffff;
    for (; batch.groups > 0; --batch.groups, batch.first += lanes) {
        Lanes c0 = Lanes{0, 1, 2, 3, 4, 5, 6, 7} + batch.first, c1 = Lanes{} + batch.stream,
              c2 = Lanes{} + low(batch.instance), c3 = Lanes{} + high(batch.instance);
        std::uint32_t key_0 = low(batch.seed), key_1 = high(batch.seed);
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
        auto const even = c0 | c1 << 32, odd = c2 | c3 << 32;
        for (int k = 0; k < lanes; ++k) {
            *batch.words++ = even[k];
            *batch.words++ = odd[k];
        }
    }
}

void fill_plain(Batch const& batch)
{
    fill(batch,
         [](Lanes const& v, std::uint32_t m, Lanes& product) { product = v * std::uint64_t{m}; });
}

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
__attribute__((target("avx512f"), flatten)) void fill_avx512(Batch const& batch)
{
    fill(batch, MultiplyAvx512{});
}
__attribute__((target("avx2"), flatten)) void fill_avx2(Batch const& batch)
{
    fill(batch, MultiplyAvx2{});
}
#endif

using Fill = void (*)(Batch const&);

/// The widest that this processor has.
Fill choose_fill()
{
#ifdef CRX_X86_VECTORS
    if (__builtin_cpu_supports("avx512f")) return fill_avx512;
    if (__builtin_cpu_supports("avx2")) return fill_avx2;
#endif
    return fill_plain;
}

} // namespace

void philox_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                  std::uint64_t first, int blocks, std::uint64_t* words)
{
    static Fill const fill_chosen = choose_fill();
    CRX_EXPECT(blocks % lanes == 0 && first + static_cast<std::uint64_t>(blocks) <= 1ull << 32);
    fill_chosen({seed, instance, first, stream, blocks / lanes, words});
}

void BufferedWords::refill()
{
    philox_words(seed_, stream_, instance_, draw_, blocks_, words_);
    draw_ += static_cast<std::uint64_t>(blocks_);
    filled_ = 2 * blocks_;
    at_ = 0;
    blocks_ = most_blocks;
}

} // namespace crx
