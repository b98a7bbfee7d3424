#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/random/words_ahead.hh"
#include "kernels/simd/lane_integers.hh"

// For sources *_simd.cc.

namespace crx {
namespace {

/// HalfWords with draws made a register at a time.
class HalvesAhead
{
  public:
    static constexpr int most_places = Ints::count;
    static_assert(most_places / 2 <= static_cast<int>(WordsAhead::most_looked_at));

    explicit HalvesAhead(WordsAhead& words) : words_(words) {}

    /// Starts with a fresh word.
    void open() { second_ = 0; }

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

    /// first plus the next draws bounded(k), bounded(k - 1), .. as far as they take half a word
    /// each; at most `wanted` and most_places of them are written. Returns how many; they are not
    /// used before use() says so. Contract: wanted >= 1.
    int look(std::uint32_t k, int wanted, std::uint32_t first, std::uint32_t* place)
    {
        // What is left of a word before the last one has no place among the next.
        if (k < 2 || second_ > (words_.used() == mark_)) [[unlikely]]
            return 0;
        using Halves = Lanes<std::uint32_t>;
        auto const* const halves = reinterpret_cast<char const*>(words_.look()) -
                                   sizeof(std::uint32_t) * std::size_t{second_};
        auto const bound = Halves::all(k) - Halves::numbers();
        auto const product = products(Halves::load_anywhere(halves), bound);
        store_anywhere(place, product.high + first);
        // A product whose low half is below k may have to be drawn again.
        auto const sure = bits_of(at_least(product.low, bound));
        auto const most =
            static_cast<std::uint32_t>(wanted) < k - 1 ? static_cast<std::uint32_t>(wanted) : k - 1;
        auto const ready = static_cast<std::uint32_t>(lowest_bit(~std::uint64_t{sure}));
        return static_cast<int>(ready < most ? ready : most);
    }
    /// So many of those looked at are used. Contract: places >= 1.
    void use(int places)
    {
        auto const halves = static_cast<std::uint32_t>(places) - second_; // of fresh words
        words_.use((halves + 1) / 2);
        set_second(halves % 2);
    }

  private:
    std::uint64_t next()
    {
        if (second_ != 0) {
            second_ = 0;
            return word_ >> 32;
        }
        auto const word = words_.next();
        set_second(1);
        return static_cast<std::uint32_t>(word);
    }
    void set_second(std::uint32_t second)
    {
        second_ = second;
        mark_ = words_.used();
        word_ = words_.look()[-1];
    }

    WordsAhead& words_;
    std::uint32_t second_ = 0; ///< 1: the upper half of word_ is still to be used
    std::uint64_t mark_ = 0;   ///< how many words were used then
    std::uint64_t word_ = 0;   ///< the last of them
};

} // namespace
} // namespace crx
