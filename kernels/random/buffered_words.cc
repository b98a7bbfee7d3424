#include "kernels/random/buffered_words.hh"

#include "kernels/simd/philox_vector.hh"
#include "kernels/simd/processor.hh"

// All functions with vectors are inlined, so it does not matter how they would be passed.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace crx {
namespace {

using namespace philox_vector;

/// Blocks of one stream, from number `first` on, in groups of `lanes`.
struct Batch
{
    std::uint64_t seed, instance, first;
    std::uint32_t stream;
    int groups;
    std::uint64_t* words;
};

template <class Multiply>
[[gnu::always_inline]] inline void fill(Batch batch, Multiply multiply)
{
    for (; batch.groups > 0; --batch.groups, batch.first += lanes) {
        Lanes even, odd;
        words_of(batch.seed, Lanes{0, 1, 2, 3, 4, 5, 6, 7} + batch.first, Lanes{} + batch.stream,
                 Lanes{} + low(batch.instance), Lanes{} + high(batch.instance), multiply, even,
                 odd);
        for (int k = 0; k < lanes; ++k) {
            *batch.words++ = even[k];
            *batch.words++ = odd[k];
        }
    }
}

void fill_plain(Batch const& batch) { fill(batch, MultiplyPlain{}); }

#ifdef CRX_X86_VECTORS
/// to: of each block a, b, c, d.
__attribute__((target("avx512f"))) inline void
write_blocks(Halves const& a, Halves const& b, Halves const& c, Halves const& d, std::uint64_t* to)
{
    Halves const pairs{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23};
    Lanes const both{0, 8, 1, 9, 2, 10, 3, 11};
    auto const join =
        [](Halves const& x, Halves const& which, Halves const& y) __attribute__((target("avx512f")))
    {
        return _mm512_permutex2var_epi32(reinterpret_cast<__m512i>(x),
                                         reinterpret_cast<__m512i>(which),
                                         reinterpret_cast<__m512i>(y));
    };
    for (std::uint32_t half = 0; half < 2; ++half) {
        auto const even = join(a, pairs + 8 * half, b), odd = join(c, pairs + 8 * half, d);
        for (std::uint64_t quarter = 0; quarter < 2; ++quarter, to += 8)
            _mm512_storeu_si512(to, _mm512_permutex2var_epi64(
                                        even, reinterpret_cast<__m512i>(both + 4 * quarter), odd));
    }
}

__attribute__((target("avx512f"), flatten)) void fill_few_avx512(Batch const& batch)
{
    fill(batch, MultiplyAvx512{});
}

constexpr int width = 16, parts = 2; // two registers of each counter at a time
constexpr int together = width * parts / lanes;

/// Contract: batch.groups is a multiple of `together`.
__attribute__((target("avx512f"), flatten)) void fill_many_avx512(Batch const& batch)
{
    auto first = low(batch.first);
    auto* words = batch.words;
    Halves const number{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (auto groups = batch.groups; groups > 0; groups -= together, first += width * parts) {
        Halves c0[parts], c1[parts], c2[parts], c3[parts];
        for (int p = 0; p < parts; ++p) {
            c0[p] = number + (first + static_cast<std::uint32_t>(width * p));
            c1[p] = Halves{} + batch.stream;
            c2[p] = Halves{} + low(batch.instance);
            c3[p] = Halves{} + high(batch.instance);
        }
        ten_rounds(batch.seed, c0, c1, c2, c3);
        for (int p = 0; p < parts; ++p, words += 2 * width)
            write_blocks(c0[p], c1[p], c2[p], c3[p], words);
    }
}

void fill_avx512(Batch const& batch)
{
    auto const many = batch.groups / together * together;
    if (many == 0) return fill_few_avx512(batch);
    fill_many_avx512({batch.seed, batch.instance, batch.first, batch.stream, many, batch.words});
    if (many == batch.groups) return;
    fill_few_avx512({batch.seed, batch.instance,
                     batch.first + static_cast<std::uint64_t>(many * lanes), batch.stream,
                     batch.groups - many, batch.words + 2 * many * lanes});
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
    if (lane_width() >= LaneWidth::full) return fill_avx512;
    if (lane_width() == LaneWidth::half) return fill_avx2;
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

void BufferedWords::look_further()
{
    auto const left = filled_ - at_;
    std::memmove(words_, words_ + at_, static_cast<std::size_t>(left) * sizeof *words_);
    philox_words(seed_, stream_, instance_, draw_, blocks_, words_ + left);
    draw_ += static_cast<std::uint64_t>(blocks_);
    filled_ = left + 2 * blocks_;
    at_ = 0;
    blocks_ = most_blocks;
}

} // namespace crx
