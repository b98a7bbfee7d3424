#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/base/integers.cuh"

// CUDA sources take cuRAND's Philox (made callable on both sides), all others Random123's. They
// give the same words: tests/kernels/random holds both to the published vectors and to each other.
#ifdef __CUDACC__
#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_philox4x32_x.h>
#undef QUALIFIERS
#else
#include <Random123/philox.h>
#endif

namespace crx {

/// Four 32-bit outputs of Philox4x32-10.
struct PhiloxBlock
{
    std::uint32_t v[4];
};

/// One block: key = seed (low half first), counter = (draw, stream, instance low, instance high).
/// Source: Salmon, Moraes, Dror and Shaw (2011), doi:10.1145/2063384.2063405.
CRX_HD inline PhiloxBlock philox_block(std::uint64_t seed, std::uint32_t draw, std::uint32_t stream,
                                       std::uint64_t instance)
{
    auto const low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    auto const high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
#ifdef __CUDACC__
    uint4 const out = curand_Philox4x32_10(make_uint4(draw, stream, low(instance), high(instance)),
                                           make_uint2(low(seed), high(seed)));
    return {{out.x, out.y, out.z, out.w}};
#else
    r123::Philox4x32 const philox;
    auto const out =
        philox({{draw, stream, low(instance), high(instance)}}, {{low(seed), high(seed)}});
    return {{out[0], out[1], out[2], out[3]}};
#endif
}

/// Numbers of the streams an instance draws from (docs/random-choices.md).
enum Stream : std::uint32_t
{
    stream_lengths = 0,
    stream_prompts = 1,
    stream_arrivals = 2,
    stream_policy = 16, ///< plus the policy's number
};

/// The part of bounded_draw that hardly ever happens, apart so that the rest can be inlined.
template <class Words>
CRX_HD std::uint64_t bounded_draw_checked(Words& words, std::uint64_t k, Unsigned128 product)
{
    std::uint64_t const rejected = (0 - k) % k;
    while (static_cast<std::uint64_t>(product) < rejected) product = Unsigned128{words.next()} * k;
    return static_cast<std::uint64_t>(product >> 64);
}

/// Uniform on 0 .. k-1, exactly, by the next words; k = 1 uses no word. Contract: k >= 1.
/// Source: Lemire (2019), doi:10.1145/3230636.
template <class Words>
CRX_HD inline std::uint64_t bounded_draw(Words& words, std::uint64_t k)
{
    CRX_EXPECT(k >= 1);
    if (k == 1) return 0;
    auto const product = Unsigned128{words.next()} * k;
    if (static_cast<std::uint64_t>(product) < k) [[unlikely]]
        return bounded_draw_checked(words, k, product);
    return static_cast<std::uint64_t>(product >> 64);
}

/// The 64-bit words of one stream of one instance, in order from word 0.
class WordStream
{
  public:
    CRX_HD WordStream(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance)
        : seed_(seed), instance_(instance), stream_(stream)
    {
    }

    CRX_HD std::uint64_t next()
    {
        if (half_) {
            half_ = false;
            return second_;
        }
        CRX_EXPECT(draw_ != 0xffffffffu);
        auto const block = philox_block(seed_, draw_++, stream_, instance_);
        second_ = block.v[2] | std::uint64_t{block.v[3]} << 32;
        half_ = true;
        return block.v[0] | std::uint64_t{block.v[1]} << 32;
    }

    /// Uniform on 0 .. k-1; see bounded_draw.
    CRX_HD std::uint64_t bounded(std::uint64_t k) { return bounded_draw(*this, k); }

    /// How many words were taken.
    CRX_HD std::uint64_t used() const { return 2 * std::uint64_t{draw_} - (half_ ? 1 : 0); }

  private:
    std::uint64_t seed_, instance_;
    std::uint64_t second_ = 0;
    std::uint32_t stream_;
    std::uint32_t draw_ = 0;
    bool half_ = false;
};

/// The next few words of a stream for a loop that takes them all; for BufferedWords faster than one
/// by one.
template <class Words, int most>
class NextWords
{
  public:
    /// Contract: count <= most; all of them are taken.
    CRX_HD NextWords(Words& words, int /*count*/) : words_(words) {}
    CRX_HD std::uint64_t next() { return words_.next(); }

  private:
    Words& words_;
};

/// Writes down the next `count` words.
template <class Words>
CRX_HD void copy_words(Words& words, std::uint64_t* to, std::int64_t count)
{
    for (std::int64_t k = 0; k < count; ++k) to[k] = words.next();
}

/// Puts `items` in uniformly random order (Fisher and Yates).
template <class T, class Words>
CRX_HD void shuffle(T* items, std::int64_t n, Words& words)
{
    for (std::int64_t i = n - 1; i >= 1; --i) {
        auto const j = static_cast<std::int64_t>(words.bounded(static_cast<std::uint64_t>(i) + 1));
        T const held = items[i];
        items[i] = items[j];
        items[j] = held;
    }
}

} // namespace crx
