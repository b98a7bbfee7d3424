#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/base/lane_moves.hh"
#include "kernels/random/buffered_words.hh"

#include <algorithm>

namespace crx {
namespace {

/// The words of one stream of several instances, one in each lane, each at its own next word. Only
/// upper half words are kept. The lower one adds less than k to the low half of the upper one times
/// k: it matters where that sum may carry or be 0, for k of 2^32 words, and is then made again.
template <class V>
class BatchWords
{
  public:
    using Mask = typename V::Mask;
    static constexpr int lanes = V::count;

    BatchWords(std::uint64_t seed, std::uint32_t stream, std::uint64_t first)
        : seed_(seed), first_(first), stream_(stream)
    {
        for (int k = 0; k < lanes; ++k) at_[k] = end_[k] = (k + 1) * made;
        std::ranges::fill(block_, 0);
        std::ranges::fill(high_, 0);
    }

    /// What WordStream::bounded would give in each lane of `mask` for its count, by parts of V;
    /// returns the lanes in which bounded() must be called instead. No word counts as used yet.
    Mask propose(Mask mask, V count, Wide (&drawn)[V::parts])
    {
        WideMask again[V::parts];
        for_each_part<V>([&](auto p) CRX_LAMBDA_IN_LANES {
            constexpr int first = p() * Wide::count;
            auto const some = part_of<p()>(mask);
            auto const at = Wide::load(at_ + first), end = Wide::load(end_ + first);
            for (auto empty = bits_of(equal(some, at, end)); empty != 0; empty &= empty - 1)
                refill(first + lowest_bit(empty));
            auto const k = without_sign(part_of<p()>(count));
            auto const product = products(gather(high_, Wide::load(at_ + first)), k);
            again[p] = same_lanes<std::int32_t>(
                at_most(same_lanes<std::uint32_t>(some), product.low + k, k));
            drawn[p] = same_bits<std::int32_t>(product.high);
        });
        return joined(again);
    }
    /// Takes what was proposed in these lanes; a count of 1 uses no word.
    void use(Mask mask, V count)
    {
        auto const takes = more(mask, count, V::all(1));
        for_each_part<V>([&](auto p) CRX_LAMBDA_IN_LANES {
            auto* const at = at_ + p() * Wide::count;
            store(at, count_where(part_of<p()>(takes), Wide::load(at)));
        });
    }
    /// WordStream::bounded of one lane. Contract: 1 <= count < 2^32.
    std::uint64_t bounded(int lane, std::uint64_t count)
    {
        if (count == 1) return 0;
        if (at_[lane] == end_[lane]) refill(lane);
        auto const product = high_[at_[lane]] * count;
        auto const low = static_cast<std::uint32_t>(product), k = static_cast<std::uint32_t>(count);
        if (low + k <= k) [[unlikely]]
            return bounded_by_words(lane, count);
        ++at_[lane];
        return product >> 32;
    }

  private:
    static constexpr int made = 128; ///< words of a lane that are made at a time

    /// bounded() with all bits of the words.
    [[gnu::noinline, gnu::cold]] std::uint64_t bounded_by_words(int lane, std::uint64_t count)
    {
        struct Words
        {
            BatchWords& all;
            int lane;
            std::uint64_t next()
            {
                auto& at = all.at_[lane];
                if (at == all.end_[lane]) all.refill(lane);
                std::uint64_t words[made];
                auto const last = std::min<std::uint64_t>(all.block_[lane], made / 2);
                all.make(lane, all.block_[lane] - last, static_cast<int>(last), words);
                auto const left = all.end_[lane] - at++;
                return words[2 * static_cast<int>(last) - left];
            }
        } words{*this, lane};
        return bounded_draw(words, count);
    }
    void make(int lane, std::uint64_t block, int blocks, std::uint64_t* to) const
    {
        philox_words(seed_, stream_, first_ + static_cast<std::uint64_t>(lane), block, blocks, to);
    }
    [[gnu::noinline]] void refill(int lane)
    {
        // At first fewer, as some instances are small.
        auto const count = block_[lane] == 0 ? made / 2 : made;
        alignas(64) std::uint64_t words[made];
        make(lane, block_[lane], count / 2, words);
        block_[lane] += static_cast<std::uint64_t>(count / 2);
        at_[lane] = end_[lane] - count;
        for (int k = 0; k < count; ++k)
            high_[at_[lane] + k] = static_cast<std::uint32_t>(words[k] >> 32);
    }

    std::uint64_t seed_, first_, block_[lanes];
    std::uint32_t stream_;
    alignas(64) std::int32_t at_[lanes]; ///< the next word
    alignas(64) std::int32_t end_[lanes];
    /// Upper half words; the last is never used.
    alignas(64) std::uint32_t high_[lanes * made + 1];
};

} // namespace
} // namespace crx
