#include "kernels/random/buffered_words.hh"

#include "kernels/random/word_stream.cuh"

namespace crx {
namespace {

/// Both words of a block.
void write_block(PhiloxStream const& of, std::uint32_t draw, std::uint64_t* even,
                 std::uint64_t* odd)
{
    auto const block = philox_block(of.seed, draw, of.stream, of.instance);
    *even = block.v[0] | std::uint64_t{block.v[1]} << 32;
    *odd = block.v[2] | std::uint64_t{block.v[3]} << 32;
}

} // namespace

void philox_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                  std::uint64_t first, int blocks, std::uint64_t* words)
{
    static auto* const in_vectors = CRX_AT_LEVEL(simd_level(), fill_stream);
    CRX_EXPECT(first + static_cast<std::uint64_t>(blocks) <= 1ull << 32);
    PhiloxStream const of{seed, instance, stream};
    auto draw = static_cast<std::uint32_t>(first);
    if (in_vectors != nullptr) return in_vectors(of, draw, blocks, words);
    for (int b = 0; b < blocks; ++b, words += 2) write_block(of, draw++, words, words + 1);
}

void philox_lane_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance,
                       std::uint64_t first, int blocks, std::uint64_t* words)
{
    static auto* const in_vectors = CRX_AT_LEVEL(simd_level(), fill_instances);
    CRX_EXPECT(blocks >= 0 && first + static_cast<std::uint64_t>(blocks) <= 1ull << 32);
    auto draw = static_cast<std::uint32_t>(first);
    if (in_vectors != nullptr) return in_vectors({seed, instance, stream}, draw, blocks, words);
    for (int b = 0; b < blocks; ++b, ++draw, words += 2 * word_lanes)
        for (int lane = 0; lane < word_lanes; ++lane)
            write_block({seed, instance + static_cast<std::uint64_t>(lane), stream}, draw,
                        words + lane, words + word_lanes + lane);
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
