#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/cohort/overflow_draw.cuh"
#include "kernels/cohort/words_ahead.hh"

// CPU only, as few_lanes.hh: included by learned_wide_form.hh alone.

namespace crx {
namespace {

/// The groups of OverflowDraw, a lane each.
struct LaneGroups
{
    static constexpr std::uint32_t most = 64;

    std::uint32_t cohort[most];
    alignas(64) std::int32_t tokens[most];    ///< what each would hold at the end of the round
    alignas(64) std::int32_t pool[most];      ///< who may be drawn
    alignas(64) std::int32_t cancelled[most]; ///< how many were
};

/// OverflowDraw for up to wide::lanes * blocks groups, by the same words with the same result: a
/// group is found by one comparison of the place drawn with all groups' running sums, and places
/// are drawn a register at a time.
template <int blocks>
class OverflowLanes
{
  public:
    /// Contract: size >= 2; the groups hold less than 2^26 tokens.
    OverflowLanes(LaneGroups& groups, std::uint32_t size, HalvesAhead& halves, WordStream& words)
        : groups_(groups), size_(size), halves_(halves), words_(words)
    {
        Lanes held{}, left{};
        for (int b = 0; b < blocks; ++b) {
            auto const used = wide::first_of_part(size, b); // the others are as they were
            auto const pool = wide::only(used, load(groups.pool, b));
            auto const tokens = wide::only(used, load(groups.tokens, b));
            store(groups.pool, b, pool);
            store(groups.tokens, b, tokens);
            left += pool;
            held += pool * tokens;
        }
        left_ = wide::sum(left);
        held_ = wide::sum(held);
    }

    /// Fills `cancelled`; returns what is still to be freed, 0 or less if that is enough.
    Tokens execute(Tokens excess)
    {
        if (held_ <= excess) {
            for (int b = 0; b < blocks; ++b) store(groups_.cancelled, b, load(groups_.pool, b));
            return excess - held_;
        }
        for (int b = 0; b < blocks; ++b) store(groups_.cancelled, b, Lanes{});
        sum_up();
        halves_.open(words_);
        while (excess > 0) {
            auto const m = OverflowDraw::guess(excess, left_, held_);
            excess = m == 1 ? cancel_singly(excess) : try_first(m, excess);
        }
        halves_.close(words_);
        return excess;
    }

  private:
    using Lanes = wide::Ints;

    static Lanes load(std::int32_t const* from, int b)
    {
        return wide::load(from + wide::lanes * b);
    }
    static void store(std::int32_t* to, int b, Lanes const& lanes)
    {
        wide::store(to + wide::lanes * b, lanes);
    }

    /// Running sums of the pools.
    void sum_up()
    {
        Lanes before{};
        for (int b = 0; b < blocks; ++b) {
            end_[b] = wide::running_sum(load(groups_.pool, b)) + before;
            before = wide::last(end_[b]);
        }
    }

    /// The group of the member at this place, who is not found again.
    std::uint32_t take(std::uint32_t place)
    {
        auto const at = wide::all(static_cast<std::int32_t>(place));
        std::uint64_t after = 0;
        for (int b = 0; b < blocks; ++b) {
            auto const later = wide::greater(end_[b], at);
            end_[b] = wide::one_less(later, end_[b]);
            after |= std::uint64_t{wide::bits(later)} << wide::lanes * b;
        }
        return static_cast<std::uint32_t>(lowest_bit(after));
    }

    /// Cancels members one by one, as long as that is what OverflowDraw does.
    Tokens cancel_singly(Tokens excess)
    {
        std::uint32_t place[HalvesAhead::most_places];
        auto const ready =
            halves_.look(static_cast<std::uint32_t>(left_), HalvesAhead::most_places, place);
        if (ready == 0)
            return cancel_at(halves_.bounded(static_cast<std::uint32_t>(left_)), excess);
        int used = 0;
        do excess = cancel_at(place[used++], excess);
        while (excess > 0 && used < ready && OverflowDraw::guess(excess, left_, held_) == 1);
        halves_.use(used);
        return excess;
    }
    Tokens cancel_at(std::uint32_t place, Tokens excess)
    {
        auto const j = take(place);
        ++groups_.cancelled[j];
        --groups_.pool[j];
        --left_;
        held_ -= groups_.tokens[j];
        return excess - groups_.tokens[j];
    }

    /// Draws who the first m of the pool are, and cancels them or makes them the pool.
    Tokens try_first(std::int64_t m, Tokens excess)
    {
        draw_first(m);
        Lanes sum{};
        for (int b = 0; b < blocks; ++b) sum += load(part_, b) * load(groups_.tokens, b);
        auto const held = std::int64_t{wide::sum(sum)};
        bool const enough = held >= excess;
        for (int b = 0; b < blocks; ++b) {
            auto const part = load(part_, b);
            if (enough) {
                store(groups_.pool, b, part);
            } else {
                store(groups_.cancelled, b, load(groups_.cancelled, b) + part);
                store(groups_.pool, b, load(groups_.pool, b) - part);
            }
        }
        left_ = enough ? m : left_ - m;
        held_ = enough ? held : held_ - held;
        sum_up();
        return enough ? excess : excess - held;
    }

    void draw_first(std::int64_t m)
    {
        for (int b = 0; b < blocks; ++b) store(part_, b, Lanes{});
        auto others = left_; // in this group and later ones
        for (std::uint32_t j = 0; j < size_; ++j) {
            if (m <= OverflowDraw::singly(size_ - j))
                return draw_singly(static_cast<std::uint32_t>(left_ - others),
                                   static_cast<std::uint32_t>(others), static_cast<int>(m));
            auto const pool = std::int64_t{groups_.pool[j]};
            halves_.close(words_);
            auto const part = hypergeometric(others, pool, m, words_);
            halves_.follow(words_);
            part_[j] = static_cast<std::int32_t>(part);
            others -= pool;
            m -= part;
        }
    }
    /// m members one by one, of all but those at the first places.
    void draw_singly(std::uint32_t before, std::uint32_t others, int m)
    {
        std::uint32_t place[HalvesAhead::most_places];
        while (m > 0) {
            auto const ready = halves_.look(others, m, place);
            for (int k = 0; k < ready; ++k) ++part_[take(before + place[k])];
            if (ready > 0)
                halves_.use(ready);
            else
                ++part_[take(before + halves_.bounded(others))];
            auto const drawn = ready > 0 ? ready : 1;
            others -= static_cast<std::uint32_t>(drawn);
            m -= drawn;
        }
    }

    LaneGroups& groups_;
    std::uint32_t size_;
    HalvesAhead& halves_;
    WordStream& words_;
    std::int64_t left_; ///< in the pool
    Tokens held_;       ///< by them
    Lanes end_[blocks]; ///< members of this group's pool and those before
    alignas(64) std::int32_t part_[wide::lanes * blocks]; ///< of the pool, those in front
};

} // namespace
} // namespace crx
