#pragma once

#include "kernels/base/wide_lanes.hh"
#include "kernels/random/half_words.cuh"

#include <limits>

// CPU only, as wide_lanes.hh: included by overflow_lanes.hh alone.

namespace crx {
namespace {

/// Groups of members in line, group after group, from whom one after the other is taken: each is
/// known by its end. One comparison of a place with all ends says which of them move up by one, so
/// how many are gone of a group and those before it is how far its end has moved, and nothing is
/// counted group by group. In 16 bits, a third of the time that a member takes in 32.
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
            // What is there twice stands behind all places and moves with the last end.
            end_[b] = wide::pair(end[b], blocks == 1 ? wide::all(most) : end[b + blocks / 2]);
            more_tokens_[b] =
                wide::pair(more_tokens[b], blocks == 1 ? Lanes{} : more_tokens[b + blocks / 2]);
        }
    }
    void write(Lanes (&end)[blocks]) const
    {
        for (int b = 0; b < pairs; ++b) {
            end[b] = wide::first_of_pair(end_[b]);
            if (blocks > 1) end[b + blocks / 2] = wide::second_of_pair(end_[b]);
        }
    }

    /// Takes the member at this place out of the line; its group.
    CRX_WIDE int take(std::uint32_t place)
    {
        auto const at = wide::all_shorts(place);
        auto group = 2 * wide::lanes * pairs;
        for (auto& end : end_) {
            group -= wide::count_greater(end, at);
            end = wide::one_less_if_greater(end, at);
        }
        return group;
    }
    /// Takes one after the other out; how many tokens they hold.
    template <int n>
    CRX_WIDE std::int32_t take_all(std::uint32_t const (&place)[n])
    {
        wide::Shorts before[pairs];
        for (int b = 0; b < pairs; ++b) before[b] = end_[b];
        for (auto const p : place)
            for (auto& end : end_) end = wide::one_less_if_greater(end, wide::all_shorts(p));
        Lanes sum{};
        for (int b = 0; b < pairs; ++b) // summation by parts
            sum += wide::sum_of_products(before[b] - end_[b], more_tokens_[b]);
        return wide::sum(sum);
    }

  private:
    static constexpr int pairs = (blocks + 1) / 2;

    wide::Shorts end_[pairs], more_tokens_[pairs];
};

} // namespace
} // namespace crx
