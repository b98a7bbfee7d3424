#include "kernels/random/buffered_words.hh"

#include "kernels/base/processor.hh"
#include "kernels/random/philox_vector.hh"

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
    if (lane_width() == LaneWidth::full) return fill_avx512;
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

} // namespace crx
