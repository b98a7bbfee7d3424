#include "kernels/base/lane_moves.hh"
#include "kernels/random/buffered_words.hh"

#include <cstring>

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

constexpr int width = PhiloxLanes::count;
constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

/// The words of parts * width blocks of a stream.
template <int parts>
CRX_IN_LANES void write_blocks(PhiloxStream const& of, std::uint32_t first, std::uint64_t* words)
{
    PhiloxBlocks<parts> blocks;
    for (int p = 0; p < parts; ++p) {
        blocks.c0[p] = PhiloxLanes::numbers() + PhiloxLanes::all(first + low(p * width));
        blocks.c1[p] = PhiloxLanes::all(of.stream);
        blocks.c2[p] = PhiloxLanes::all(low(of.instance));
        blocks.c3[p] = PhiloxLanes::all(high(of.instance));
    }
    blocks.ten_rounds(of.seed);
    for (int p = 0; p < parts; ++p)
        hn::StoreInterleaved4(blocks.c0[p].v, blocks.c1[p].v, blocks.c2[p].v, blocks.c3[p].v,
                              PhiloxLanes::Tag(),
                              reinterpret_cast<std::uint32_t*>(words + 2 * width * p));
}

} // namespace

namespace CRX_SIMD_LEVEL {

void fill_stream(PhiloxStream const& of, std::uint32_t first, int blocks, std::uint64_t* words)
{
    constexpr int together = 2 * width; // so that two registers of each counter are in work
    for (; blocks >= together; blocks -= together, first += together, words += 2 * together)
        write_blocks<2>(of, first, words);
    for (; blocks >= width; blocks -= width, first += width, words += 2 * width)
        write_blocks<1>(of, first, words);
    if (blocks == 0) return;
    alignas(64) std::uint64_t last[2 * width];
    write_blocks<1>(of, first, last);
    std::memcpy(words, last, 2 * sizeof *words * static_cast<std::size_t>(blocks));
}

void fill_instances(PhiloxStream const& from, std::uint32_t first, int blocks, std::uint64_t* words)
{
    constexpr int parts = 2; // more would not stay in registers
    static_assert(word_lanes % (width * parts) == 0);
    PhiloxLanes::Tag const tag;
    for (int lane = 0; lane < word_lanes; lane += width * parts) {
        PhiloxLanes instance_low[parts], instance_high[parts];
        for (int p = 0; p < parts; ++p) {
            auto const begin = from.instance + static_cast<std::uint64_t>(lane + p * width);
            instance_low[p] = PhiloxLanes::numbers() + PhiloxLanes::all(low(begin));
            instance_high[p] =
                count_where(less(instance_low[p], PhiloxLanes::all(low(begin))), // carried
                            PhiloxLanes::all(high(begin)));
        }
        auto* to = reinterpret_cast<std::uint32_t*>(words + lane);
        for (int b = 0; b < blocks; ++b, to += 4 * word_lanes) {
            PhiloxBlocks<parts> all;
            for (int p = 0; p < parts; ++p) {
                all.c0[p] = PhiloxLanes::all(first + low(b));
                all.c1[p] = PhiloxLanes::all(from.stream);
                all.c2[p] = instance_low[p];
                all.c3[p] = instance_high[p];
            }
            all.ten_rounds(from.seed);
            for (int p = 0; p < parts; ++p) {
                hn::StoreInterleaved2(all.c0[p].v, all.c1[p].v, tag, to + 2 * width * p);
                hn::StoreInterleaved2(all.c2[p].v, all.c3[p].v, tag,
                                      to + 2 * word_lanes + 2 * width * p);
            }
        }
    }
}

} // namespace CRX_SIMD_LEVEL
} // namespace crx
