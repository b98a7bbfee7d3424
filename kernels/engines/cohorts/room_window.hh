#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/simd/wide_lanes.hh"

// CPU only, as wide_lanes.hh: included by learned_wide_form.hh alone.

namespace crx {
namespace {

/// What is left of memory in each round to come if nobody outlives its working length, and the
/// look-ahead check of SPEC section 3 upon it: what EndRing answers, a register of rounds a step.
///
/// Numbers are whole and below 2^24, so floats hold them exactly, and floor of the rounded quotient
/// is that of a / b: if a / b is no integer, the next one, k, is at least 1/b above it, and that is
/// more than half a unit in the last place there, at most k 2^-25, as a < 2^24.
class RoomWindow
{
  public:
    static constexpr Tokens most_memory = (Tokens{1} << 24) - 1; ///< exact in floats

    /// Prompts s; nobody ends later than `longest` rounds after its start.
    RoomWindow(Arena& arena, std::int64_t longest, Tokens s, Tokens memory)
        : span_(2 * longest + 2 * lanes), size_(8 * span_), room_(arena.take<float>(size_ + lanes)),
          heads_(arena.take<float>(longest + lanes)), prompt_(static_cast<float>(s)),
          memory_(static_cast<float>(memory))
    {
    }
    void clear()
    {
        for (std::int64_t k = 0; k < span_; ++k) room_[k] = memory_;
        made_ = span_;
    }

    /// Round t is the present. Contract: it does not go back.
    void reach(Rounds t)
    {
        now_ = t + 1 - origin_;
        if (made_ < now_ + span_) [[unlikely]]
            make();
    }
    /// Some with g tokens generated come, groups of them by rising working length: count[k] whose
    /// length is length(k). The same as take for one after the other.
    template <class Length>
    void take_all(std::int32_t const* count, std::uint32_t groups, Rounds g, Length length)
    {
        std::int32_t heads = 0; // of those who are planned to be there in a round
        for (std::uint32_t k = 0; k < groups; ++k) heads += count[k];
        Rounds last = 0;
        for (std::uint32_t k = 0; k < groups; ++k) {
            auto const heads_now = wide::all(static_cast<float>(heads));
            auto const end = static_cast<Rounds>(length(k)) - g;
            // What is written past the end is written again.
            for (; last < end; last += lanes) wide::store(heads_ + last, heads_now);
            last = end;
            heads -= count[k];
        }
        auto size = wide::all(prompt_ + static_cast<float>(g)) + wide::from_one();
        auto const* heads_of = heads_;
        for (auto* room = room_ + now_; last > 0; last -= lanes, room += lanes, heads_of += lanes) {
            auto const heads_now = wide::load(heads_of);
            wide::store(room,
                        wide::minus_product(wide::first(last), wide::load(room), heads_now, size));
            size += wide::all(lanes_float);
        }
    }
    /// m with g tokens generated come (m > 0) or go (m < 0) who end `left` rounds from now.
    void take(std::int64_t m, std::int64_t g, std::int64_t left)
    {
        auto const heads = wide::all(static_cast<float>(m));
        auto size = wide::all(prompt_ + static_cast<float>(g)) + wide::from_one();
        for (auto* room = room_ + now_; left > 0; left -= lanes, room += lanes) {
            // All lanes are stored: what is read next is then taken from the store as it is.
            wide::store(room,
                        wide::minus_product(wide::first(left), wide::load(room), heads, size));
            size += wide::all(lanes_float);
        }
    }

    /// How many can start now as far as the rounds from + 1 .. to from now are concerned, at most
    /// 2^24. Contract: from < to.
    std::int32_t most(std::uint32_t from, std::uint32_t to) const
    {
        auto const* room = room_ + now_ + from;
        auto const before = prompt_ + static_cast<float>(from);
        if (from + 1 == to) return static_cast<std::int32_t>(*room / (before + 1)); // often
        auto size = wide::all(before) + wide::from_one();
        auto least = wide::all(static_cast<float>(1 << 24));
        for (auto left = std::int64_t{to} - from;; left -= lanes, room += lanes) {
            least = wide::smaller(wide::first(left), least, wide::load(room) / size);
            if (left <= lanes) return static_cast<std::int32_t>(wide::smallest(least));
            size += wide::all(lanes_float);
        }
    }

    /// The least k >= 1, below `limit`, so that a request of working length e passes the check k
    /// rounds from now if nothing else changes; `limit` if there is none.
    Rounds first_fit(Rounds e, Rounds limit) const
    {
        for (Rounds k = 1; k < limit;) {
            // Room for a tokens beside the prompt asks for a start at most a rounds earlier.
            auto const* room = room_ + now_ + k;
            auto round = wide::all(static_cast<float>(k)) + wide::from_one();
            auto bound = wide::all(static_cast<float>(k));
            for (auto left = e; left > 0; left -= lanes, room += lanes) {
                auto const tokens =
                    wide::larger(wide::load(room) - wide::all(prompt_), wide::Floats{});
                bound = wide::larger(wide::first(left), bound, round - tokens);
                round += wide::all(lanes_float);
            }
            auto const next = static_cast<Rounds>(wide::largest(bound));
            if (next == k) return k;
            k = next;
        }
        return limit;
    }

  private:
    static constexpr int lanes = wide::lanes;
    static constexpr float lanes_float = lanes;

    [[gnu::noinline]] void make()
    {
        if (now_ + 2 * span_ > size_) {
            auto const left = made_ > now_ ? made_ - now_ : 0;
            for (std::int64_t k = 0; k < left; ++k) room_[k] = room_[now_ + k];
            origin_ += now_;
            now_ = 0;
            made_ = left;
        }
        // A good deal more than is asked for, so that this is seldom.
        for (; made_ < now_ + 2 * span_; ++made_) room_[made_] = memory_;
    }

    std::int64_t span_; ///< rounds that may be asked about
    std::int64_t size_;
    float* room_;  ///< of round origin_ + k
    float* heads_; ///< by round, for take_all
    float prompt_, memory_;
    Rounds origin_ = 1;
    std::int64_t now_ = 0;  ///< place of the round after the present
    std::int64_t made_ = 0; ///< places before it mean something
};

} // namespace
} // namespace crx
