#pragma once

#include "kernels/simd/lane_integers.hh"

#include <limits>

// For sources *_simd.cc.

namespace crx {
namespace {

/// Groups of members in line, group after group, from whom one after the other is taken: each is
/// known by its end. One comparison of a place with all ends says which of them move up by one, so
/// how many are gone of a group and those before it is how far its end has moved, and nothing is
/// counted group by group. In 16 bits, so that a register holds the ends of twice as many.
template <int blocks>
class NarrowEnds
{
  public:
    /// Up to so many members, and tokens that each of them holds.
    static constexpr std::int32_t most = std::numeric_limits<std::int16_t>::max();

    /// `more_tokens` than one of the next group holds one of each group does.
    NarrowEnds(Ints const (&end)[blocks], Ints const (&more_tokens)[blocks])
    {
        for (int b = 0; b < pairs; ++b) {
            // Beside one block stands what is behind all places and remains so.
            end_[b] = pair(end[b], blocks == 1 ? Ints::all(most) : end[b + blocks / 2]);
            more_tokens_[b] =
                pair(more_tokens[b], blocks == 1 ? Ints{} : more_tokens[b + blocks / 2]);
        }
    }
    void write(Ints (&end)[blocks]) const
    {
        for (int b = 0; b < pairs; ++b) {
            end[b] = first_of_pair(end_[b]);
            if constexpr (blocks > 1) end[b + blocks / 2] = second_of_pair(end_[b]);
        }
    }

    /// A register of places, each twice in its word, as take() and take_all() want them.
    using Places = std::uint32_t[Ints::count];
    CRX_IN_LANES static void double_up(Places& place)
    {
        auto const once = Ints::load(place);
        store(place, once | shifted_left<16>(once));
        // They are to be read from memory one by one: GCC 12 would take them out of the register,
        // with operations that the rest needs the same ports for.
        asm("" : "+m"(place));
    }
    /// Takes the member at this place out of the line; its group.
    CRX_IN_LANES int take(std::uint32_t place)
    {
        auto const at = shorts(place);
        auto group = 2 * Ints::count * pairs;
        for (auto& end : end_) {
            group -= count_more(end, at);
            end = one_less_if_more(end, at);
        }
        return group;
    }
    /// Takes one after the other out; how many tokens they hold.
    CRX_IN_LANES std::int32_t take_all(Places const& place)
    {
        Shorts before[pairs];
        for (int b = 0; b < pairs; ++b) before[b] = end_[b];
        for (auto const p : place)
            for (auto& end : end_) end = one_less_if_more(end, shorts(p));
        Ints sum{};
        for (int b = 0; b < pairs; ++b) // summation by parts
            sum += sum_of_products(before[b] - end_[b], more_tokens_[b]);
        return sum_of(sum);
    }

  private:
    static constexpr int pairs = (blocks + 1) / 2;

    CRX_IN_LANES static Shorts shorts(std::uint32_t place)
    {
        return same_bits<std::int16_t>(Ints::all(static_cast<std::int32_t>(place)));
    }

    Shorts end_[pairs], more_tokens_[pairs];
};

} // namespace
} // namespace crx
