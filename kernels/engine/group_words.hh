#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/engine/lane_vectors.cuh"
#include "kernels/random/buffered_words.hh"

#include <algorithm>

// CPU only, with the vectors of lane_vectors.cuh.
namespace crx {
namespace {

/// The words of one stream of several instances, a lane each, each at a place of its own.
class GroupWords
{
  public:
    static constexpr int lanes = Lanes::count;

    GroupWords(std::uint64_t seed, std::uint32_t stream, std::uint64_t first)
        : seed_(seed), first_(first), stream_(stream)
    {
        for (int k = 0; k < lanes; ++k) at_[k] = end_[k] = (k + 1) * made;
        std::ranges::fill(block_, 0);
        std::ranges::fill(words_, 0);
    }

    /// What WordStream::bounded would give in each lane of `set`, with the counts given; `again`:
    /// where it must be asked. No word counts as used yet.
    Lanes propose(LaneSet set, Lanes count, LaneSet& again)
    {
        for (auto empty = bits_of(equal(set, Lanes::load(at_), Lanes::load(end_))); empty != 0;
             empty &= empty - 1)
            refill(lowest_bit(empty));
        return scaled_words(set, words_, at_, count, again);
    }
    /// What was proposed in these lanes is drawn: of 1 no word is used.
    void use(LaneSet set, Lanes count)
    {
        store(at_, count_where(more(set, count, Lanes::all(1)), Lanes::load(at_)));
    }
    /// WordStream::bounded of one lane.
    std::uint64_t bounded(int lane, std::uint64_t count)
    {
        struct Words
        {
            GroupWords& all;
            int lane;
            std::uint64_t next() { return all.next(lane); }
        } words{*this, lane};
        return bounded_draw(words, count);
    }

  private:
    static constexpr int made = 64; ///< words of a lane that are made at a time

    std::uint64_t next(int lane)
    {
        if (at_[lane] == end_[lane]) refill(lane);
        return words_[at_[lane]++];
    }
    void refill(int lane)
    {
        philox_words(seed_, stream_, first_ + static_cast<std::uint64_t>(lane), block_[lane],
                     made / 2, words_ + lane * made);
        block_[lane] += made / 2;
        at_[lane] = lane * made;
    }

    std::uint64_t seed_, first_, block_[lanes];
    std::uint32_t stream_;
    alignas(64) std::int32_t at_[lanes]; ///< the next word
    alignas(64) std::int32_t end_[lanes];
    alignas(64) std::uint64_t words_[lanes * made + 1]; ///< the last is never used
};

} // namespace
} // namespace crx
