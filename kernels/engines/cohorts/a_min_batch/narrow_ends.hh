#pragma once

#include "kernels/simd/wide_lanes.hh"

#include <limits>

// CPU only, as wide_lanes.hh: included by overflow_lanes.hh alone.

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
    using Lanes = wide::Ints;

    /// Up to so many members, and tokens that each of them holds.
    static constexpr std::int32_t most = std::numeric_limits<std::int16_t>::max();

    /// `more_tokens` than one of the next group holds one of each group does.
    NarrowEnds(Lanes const (&end)[blocks], Lanes const (&more_tokens)[blocks])
    {
        for (int b = 0; b < pairs; ++b) {
            // Beside one block stands what is behind all places and remains so.
            end_[b] = wide::pair(end[b], blocks == 1 ? wide::all(most) : end[b + blocks / 2]);
            more_tokens_[b] =
                wide::pair(more_tokens[b], blocks == 1 ? Lanes{} : more_tokens[b + blocks / 2]);
        }
    }
    void write(Lanes (&end)[blocks]) const
    {
        for (int b = 0; b < pairs; ++b) {
            end[b] = wide::first_of_pair(end_[b]);
            if constexpr (blocks > 1) end[b + blocks / 2] = wide::second_of_pair(end_[b]);
        }
    }

    /// A register of places, each twice in its word, as take() and take_all() want them.
    using Places = std::uint32_t[wide::lanes];
    CRX_WIDE static void double_up(Places& place)
    {
        auto const once = wide::load(reinterpret_cast<std::int32_t const*>(place));
        wide::store(place, once | once << 16);
        // They are to be read from memory one by one: GCC 12 would take them out of the register,
        // with operations that the rest needs the same ports for.
        asm("" : "+m"(place));
    }
    /// Takes the member at this place out of the line; its group.
    CRX_WIDE int take(std::uint32_t place)
    {
        auto const at = shorts(place);
        auto group = 2 * wide::lanes * pairs;
        for (auto& end : end_) {
            group -= wide::count_greater(end, at);
            end = wide::one_less_if_greater(end, at);
        }
        return group;
    }
    /// Takes one after the other out; how many tokens they hold.
    CRX_WIDE std::int32_t take_all(Places const& place)
    {
        wide::Shorts before[pairs];
        for (int b = 0; b < pairs; ++b) before[b] = end_[b];
        for (auto const p : place)
            for (auto& end : end_) end = wide::one_less_if_greater(end, shorts(p));
        Lanes sum{};
        for (int b = 0; b < pairs; ++b) // summation by parts
            sum += wide::sum_of_products(before[b] - end_[b], more_tokens_[b]);
        return wide::sum(sum);
    }

  private:
    static constexpr int pairs = (blocks + 1) / 2;

    CRX_WIDE static wide::Shorts shorts(std::uint32_t place)
    {
        return reinterpret_cast<wide::Shorts>(wide::all(static_cast<std::int32_t>(place)));
    }

    wide::Shorts end_[pairs], more_tokens_[pairs];
};

} // namespace
} // namespace crx
