#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/base/lane_numbers.hh"
#include "kernels/engines/cohorts/overflow_draw.cuh"
#include "kernels/random/buffered_words.hh"
#include "kernels/random/hypergeometric.cuh"

// For sources *_simd.cc.

namespace crx {
namespace {

/// The groups of OverflowDraw, a lane each.
struct LaneGroups
{
    static constexpr std::uint32_t most = 64;

    std::int32_t cohort[most];
    alignas(64) std::int32_t tokens[most];    ///< what each would hold at the end of the round
    alignas(64) std::int32_t pool[most];      ///< requests that may be drawn
    alignas(64) std::int32_t cancelled[most]; ///< how many were
};

/// OverflowDraw for up to Ints::count * blocks groups, by the same words with the same result.
///
/// The members stand in line, group after group. A group is known by its end in that line, and a
/// member that is drawn is taken out of it: one comparison of the place with all ends says which of
/// them move up by one. So how many were drawn of a group and those before it is how far its end
/// has moved, and nothing is counted group by group.
template <int blocks>
class OverflowLanes
{
  public:
    /// Contract: size >= 2; the groups hold less than 2^26 tokens.
    OverflowLanes(LaneGroups& groups, std::uint32_t size, BufferedWords& words)
        : groups_(groups), size_(size), words_(words), halves_(words)
    {
        Ints held{}, before{}, tokens[blocks + 1];
        for (int b = 0; b < blocks; ++b) {
            auto const used = first_of_part(size, b); // the others are as they were
            auto const pool = or_zero(used, Ints::load(groups.pool + Ints::count * b));
            tokens[b] = or_zero(used, Ints::load(groups.tokens + Ints::count * b));
            held += pool * tokens[b];
            end_[b] = running_sum(pool) + before;
            before = last_in_all(end_[b]);
            gone_[b] = Ints{};
        }
        tokens[blocks] = Ints{};
        for (int b = 0; b < blocks; ++b)
            more_tokens_[b] = tokens[b] - shifted_out(tokens[b], tokens[b + 1]);
        held_ = sum_of(held);
        left_ = first_of(before);
    }

    /// Fills `cancelled`; returns what is still to be freed, 0 or less if that is enough.
    CRX_IN_LANES Tokens execute(Tokens excess)
    {
        if (held_ <= excess) {
            write_cancelled(end_);
            return excess - held_;
        }
        while (excess > 0) {
            if (OverflowRule::few(excess, left_, held_, size_)) {
                excess = cancel_singly(excess);
                break;
            }
            excess = try_first(excess);
        }
        write_cancelled(gone_);
        return excess;
    }

  private:
    /// sum: of those cancelled of a group and those before it.
    void write_cancelled(Ints const (&sum)[blocks])
    {
        Ints before{};
        for (int b = 0; b < blocks; ++b) {
            auto const cancelled = sum[b] - shifted_in(before, sum[b]);
            store(groups_.cancelled + Ints::count * b, cancelled);
            before = sum[b];
        }
    }

    /// Takes the member at this place out of the line.
    void take(std::uint32_t place)
    {
        auto const at = Ints::all(static_cast<std::int32_t>(place));
        for (auto& end : end_) end = one_less_where(more(end, at), end);
    }
    /// take(), and the group of the member that was taken.
    std::uint32_t find(std::uint32_t place)
    {
        auto const at = Ints::all(static_cast<std::int32_t>(place));
        std::uint64_t after = 0;
        for (int b = 0; b < blocks; ++b) {
            auto const later = more(end_[b], at);
            end_[b] = one_less_where(later, end_[b]);
            after |= std::uint64_t{bits_of(later)} << Ints::count * b;
        }
        return static_cast<std::uint32_t>(lowest_bit(after));
    }

    /// Cancels members one by one until they hold the excess.
    Tokens cancel_singly(Tokens excess)
    {
        for (int b = 0; b < blocks; ++b) gone_[b] += end_[b];
        for (; excess > 0; --left_)
            excess -= groups_.tokens[find(halves_.bounded(static_cast<std::uint32_t>(left_)))];
        for (int b = 0; b < blocks; ++b) gone_[b] -= end_[b];
        return excess;
    }
    /// Draws the first m of the pool, and cancels them or makes them the pool.
    [[gnu::noinline]] Tokens try_first(Tokens excess)
    {
        auto const m = OverflowRule::guess(excess, left_, held_);
        Ints drawn[blocks]; // of each group and those before it
        for (int b = 0; b < blocks; ++b) drawn[b] = end_[b];
        draw_first(m);
        Lanes<std::uint32_t> sum{};
        for (int b = 0; b < blocks; ++b) {
            drawn[b] -= end_[b];
            // Summation by parts; modulo 2^32, as parts may be larger than what they add up to.
            sum += same_bits<std::uint32_t>(drawn[b]) * same_bits<std::uint32_t>(more_tokens_[b]);
        }
        auto const held = std::int64_t{sum_of(same_bits<std::int32_t>(sum))};
        if (held >= excess) {
            for (int b = 0; b < blocks; ++b) end_[b] = drawn[b];
            left_ = m;
            held_ = held;
            return excess;
        }
        for (int b = 0; b < blocks; ++b) gone_[b] += drawn[b];
        left_ -= m;
        held_ -= held;
        return excess - held;
    }

    /// Takes m members out of the line.
    void draw_first(std::int64_t m)
    {
        if (m <= OverflowRule::singly(size_)) return draw_singly(0, left_, m);
        alignas(64) std::int32_t end[Ints::count * blocks];
        for (int b = 0; b < blocks; ++b) store(end + Ints::count * b, end_[b]);
        std::int64_t before = 0, stay = 0; // of earlier groups: how many there were, and are
        for (std::uint32_t j = 0;; ++j) {
            if (m <= OverflowRule::singly(size_ - j)) return draw_singly(stay, left_ - before, m);
            auto const pool = end[j] - before;
            auto const part = hypergeometric(left_ - before, pool, m, words_);
            auto const moved = Ints::all(static_cast<std::int32_t>(part));
            for (int b = 0; b < blocks; ++b) end_[b] -= or_zero(rest_of_part(j, b), moved);
            before = end[j];
            stay += pool - part;
            m -= part;
        }
    }
    /// m members one by one, of all but those at the first places, `others` of them.
    void draw_singly(std::int64_t before, std::int64_t others, std::int64_t m)
    {
        auto const first = static_cast<std::uint32_t>(before);
        for (; m > 0; --m, --others)
            take(first + halves_.bounded(static_cast<std::uint32_t>(others)));
    }

    LaneGroups& groups_;
    std::uint32_t size_;
    BufferedWords& words_;
    HalfWords<BufferedWords> halves_;
    std::int64_t left_;        ///< in the pool
    Tokens held_;              ///< by them
    Ints end_[blocks];         ///< members of this group's pool and those before
    Ints gone_[blocks];        ///< of them, how many were cancelled
    Ints more_tokens_[blocks]; ///< than one of the next group holds
};

template <std::uint32_t most>
[[gnu::noinline]] void draw_overflow_of(LaneGroups& groups, std::uint32_t size,
                                        BufferedWords& words, Tokens excess)
{
    OverflowLanes<most / Ints::count>(groups, size, words).execute(excess);
}
/// OverflowLanes in as few registers as hold the groups. Contract: 2 <= size <= LaneGroups::most.
inline void draw_overflow(LaneGroups& groups, std::uint32_t size, BufferedWords& words,
                          Tokens excess)
{
    constexpr auto most = LaneGroups::most;
    auto const draw = size <= most / 4   ? draw_overflow_of<most / 4>
                      : size <= most / 2 ? draw_overflow_of<most / 2>
                                         : draw_overflow_of<most>;
    draw(groups, size, words, excess);
}

} // namespace
} // namespace crx
