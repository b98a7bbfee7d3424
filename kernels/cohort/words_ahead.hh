#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/base/wide_lanes.hh"
#include "kernels/random/buffered_words.hh"

// CPU only, as few_lanes.hh: included by learned_wide_form.hh alone.

namespace crx {
namespace {

/// HalfWords upon words that are made many at a time. The stream itself stands still until it is
/// told how far they were used.
class HalvesAhead
{
  public:
    static constexpr int most_places = wide::lanes;

    HalvesAhead(std::uint64_t seed, std::uint32_t stream, std::uint64_t instance)
        : seed_(seed), instance_(instance), stream_(stream)
    {
    }

    /// Goes on from where the stream is, with a fresh word.
    void open(WordStream const& words)
    {
        second_ = false;
        follow(words);
    }
    /// The stream was read meanwhile; what is left of the last word here is still to be used.
    void follow(WordStream const& words)
    {
        auto const used = words.used();
        if (used < first_ || used > first_ + filled_) {
            first_ = used;
            filled_ = 0;
        }
        at_ = used - first_;
    }
    /// Tells the stream what was used here.
    void close(WordStream& words) const
    {
        auto const used = first_ + at_;
        if (used != words.used()) words.go_on(used, used % 2 == 1 ? word_ahead_[at_] : 0);
    }

    /// Uniform on 0 .. k-1; as HalfWords::bounded. Contract: 1 <= k < 2^31.
    std::uint32_t bounded(std::uint32_t k)
    {
        if (k == 1) return 0;
        auto product = next() * k;
        if (static_cast<std::uint32_t>(product) < k) [[unlikely]]
            while (static_cast<std::uint32_t>(product) < (std::uint64_t{1} << 32) % k)
                product = next() * k;
        return static_cast<std::uint32_t>(product >> 32);
    }

    /// The next draws bounded(k), bounded(k - 1), .. as far as they take half a word each; at most
    /// `wanted` and most_places of them are written. Returns how many; they are not used before
    /// use() says so. Contract: wanted >= 1.
    int look(std::uint32_t k, int wanted, std::uint32_t* place)
    {
        if (second_ || k < 2) return 0;
        if (at_ + most_places / 2 > filled_) refill();
        auto const bound = wide::all(static_cast<std::int32_t>(k)) - wide::from_zero();
        wide::Ints high, low;
        wide::multiply(wide::load_halves(word_ahead_ + at_), bound, high, low);
        wide::store(place, high);
        // A product whose low half is below k may have to be drawn again.
        auto const sure = wide::bits(wide::at_least(low, bound));
        auto const most =
            static_cast<std::uint32_t>(wanted) < k - 1 ? static_cast<std::uint32_t>(wanted) : k - 1;
        auto const ready = static_cast<std::uint32_t>(lowest_bit(~std::uint64_t{sure}));
        return static_cast<int>(ready < most ? ready : most);
    }
    /// So many of those looked at are used.
    void use(int places)
    {
        at_ += static_cast<std::uint64_t>(places + 1) / 2;
        second_ = places % 2 == 1;
        if (second_) word_ = word_ahead_[at_ - 1];
    }

  private:
    static constexpr int blocks = 32;

    std::uint64_t next()
    {
        second_ = !second_;
        if (!second_) return word_ >> 32;
        if (at_ == filled_) refill();
        word_ = word_ahead_[at_++];
        return static_cast<std::uint32_t>(word_);
    }
    void refill()
    {
        auto const used = first_ + at_;
        first_ = used & ~std::uint64_t{1};
        philox_words(seed_, stream_, instance_, first_ / 2, blocks, word_ahead_);
        filled_ = 2 * blocks;
        at_ = used - first_;
    }

    std::uint64_t seed_, instance_;
    std::uint32_t stream_;
    bool second_ = false;     ///< the upper half of word_ is still to be used
    std::uint64_t word_ = 0;  ///< the last that was used
    std::uint64_t first_ = 0; ///< number of the first word ahead
    std::uint64_t at_ = 0, filled_ = 0;
    std::uint64_t word_ahead_[2 * blocks];
};

} // namespace
} // namespace crx
