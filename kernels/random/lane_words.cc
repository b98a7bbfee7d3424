#include "kernels/random/lane_words.hh"

#include "kernels/simd/philox_vector.hh"
#include "kernels/simd/processor.hh"

#include <cstring>

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx {
namespace {

using namespace philox_vector;

struct Batch
{
    std::uint64_t seed, instance, first;
    std::uint32_t stream;
    int blocks;
    std::uint64_t* words;
};

template <class Multiply>
[[gnu::always_inline]] inline void fill(Batch batch, Multiply multiply)
{
    constexpr std::uint64_t low_half = 0xffffffff;
    for (; batch.blocks > 0; --batch.blocks, ++batch.first, batch.words += 2 * word_lanes)
        for (int lane = 0; lane < word_lanes; lane += lanes) {
            auto const instance =
                Lanes{0, 1, 2, 3, 4, 5, 6, 7} + batch.instance + static_cast<std::uint64_t>(lane);
            Lanes even, odd;
            words_of(batch.seed, Lanes{} + batch.first, Lanes{} + batch.stream, instance & low_half,
                     instance >> 32, multiply, even, odd);
            std::memcpy(batch.words + lane, &even, sizeof even);
            std::memcpy(batch.words + word_lanes + lane, &odd, sizeof odd);
        }
}

void fill_plain(Batch const& batch) { fill(batch, MultiplyPlain{}); }

#ifdef CRX_X86_VECTORS
/// to[k]: a[k] below b[k].
__attribute__((target("avx512f"), always_inline)) inline void
write_words(Halves const& a, Halves const& b, std::uint64_t* to)
{
    Halves const front{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23};
    auto const back = front + std::uint32_t{8};
    auto const x = reinterpret_cast<__m512i>(a), y = reinterpret_cast<__m512i>(b);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi32(x, reinterpret_cast<__m512i>(front), y));
    _mm512_storeu_si512(to + 8, _mm512_permutex2var_epi32(x, reinterpret_cast<__m512i>(back), y));
}

__attribute__((target("avx512f"), flatten)) void fill_avx512(Batch const& batch)
{
    constexpr int width = 16, parts = word_lanes / width;
    Halves instance_low[parts], instance_high[parts];
    for (int lane = 0; lane < word_lanes; ++lane) {
        auto const instance = batch.instance + static_cast<std::uint64_t>(lane);
        instance_low[lane / width][lane % width] = low(instance);
        instance_high[lane / width][lane % width] = high(instance);
    }
    auto* words = batch.words;
    for (int b = 0; b < batch.blocks; ++b, words += 2 * word_lanes) {
        Halves c0[parts], c1[parts], c2[parts], c3[parts];
        for (int p = 0; p < parts; ++p) {
            c0[p] = Halves{} + low(batch.first + static_cast<std::uint64_t>(b));
            c1[p] = Halves{} + batch.stream;
            c2[p] = instance_low[p];
            c3[p] = instance_high[p];
        }
        ten_rounds(batch.seed, c0, c1, c2, c3);
        for (int p = 0; p < parts; ++p) {
            write_words(c0[p], c1[p], words + width * p);
            write_words(c2[p], c3[p], words + word_lanes + width * p);
        }
    }
}

__attribute__((target("avx2"), always_inline)) inline void
write_words(ShortHalves const& a, ShortHalves const& b, std::uint64_t* to)
{
    auto const x = reinterpret_cast<__m256i>(a), y = reinterpret_cast<__m256i>(b);
    auto const low = _mm256_unpacklo_epi32(x, y), high = _mm256_unpackhi_epi32(x, y);
    auto* const out = reinterpret_cast<__m256i*>(to);
    _mm256_storeu_si256(out, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(low, high, 0x31));
}

/// Two registers of each counter at a time: more would not stay in registers.
__attribute__((target("avx2"), flatten)) void fill_avx2(Batch const& batch)
{
    constexpr int width = 8, parts = 2;
    for (int lane = 0; lane < word_lanes; lane += width * parts) {
        ShortHalves instance_low[parts], instance_high[parts];
        for (int k = 0; k < width * parts; ++k) {
            auto const instance = batch.instance + static_cast<std::uint64_t>(lane + k);
            instance_low[k / width][k % width] = low(instance);
            instance_high[k / width][k % width] = high(instance);
        }
        auto* words = batch.words + lane;
        for (int b = 0; b < batch.blocks; ++b, words += 2 * word_lanes) {
            ShortHalves c0[parts], c1[parts], c2[parts], c3[parts];
            for (int p = 0; p < parts; ++p) {
                c0[p] = ShortHalves{} + low(batch.first + static_cast<std::uint64_t>(b));
                c1[p] = ShortHalves{} + batch.stream;
                c2[p] = instance_low[p];
                c3[p] = instance_high[p];
            }
            ten_rounds(batch.seed, c0, c1, c2, c3);
            for (int p = 0; p < parts; ++p) {
                write_words(c0[p], c1[p], words + width * p);
                write_words(c2[p], c3[p], words + word_lanes + width * p);
            }
        }
    }
}
#endif

using Fill = void (*)(Batch const&);

/// The widest that this processor has.
Fill choose_fill()
{
#ifdef CRX_X86_VECTORS
    if (lane_width() >= LaneWidth::full) return fill_avx512;
    if (lane_width() == LaneWidth::half) return fill_avx2;
#endif
    return fill_plain;
}

} // namespace

void philox_lane_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                       std::uint64_t first, int blocks, std::uint64_t* words)
{
    static Fill const fill_chosen = choose_fill();
    CRX_EXPECT(blocks >= 0 && first + static_cast<std::uint64_t>(blocks) <= 1ull << 32);
    fill_chosen({seed, instance, first, stream, blocks, words});
}

} // namespace crx
