#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/simd/start_bounds.cuh"
#include "kernels/simd/warp_lanes.cuh"

namespace crx {
namespace {

/// Writes one number of an array of vectors of a warp. Such arrays are registers, which cannot be
/// indexed by what is not known when it is compiled.
template <int vectors>
CRX_HD void put_in_lanes(Lanes* values, int lane, std::int32_t value)
{
    for (int b = 0; b < vectors; ++b)
        values[b] = choose(equal(Lanes::numbers(), Lanes::all(lane - b * Lanes::count)),
                           Lanes::all(value), values[b]);
}

/// A number of each of `most` slots that is asked for one at a time.
template <int most>
class SlotRow
{
  public:
    CRX_HD std::int32_t operator[](int slot) const
    {
        // Of every vector, and then one is taken: a vector taken first would be read by its
        // address.
        auto found = number_at(of_[0], slot % Lanes::count);
        for (int b = 1; b < most / Lanes::count; ++b) {
            auto const here = number_at(of_[b], slot % Lanes::count);
            found = slot / Lanes::count == b ? here : found;
        }
        return found;
    }
    CRX_HD void put(int slot, std::int32_t value)
    {
        put_in_lanes<most / Lanes::count>(of_, slot, value);
    }

  private:
    Lanes of_[most / Lanes::count];
};

/// For a warp: at most 64 active requests and the look-ahead check of
/// docs/model.md#look-ahead-check upon them. Each has a lane of its own, and what is asked of them
/// is asked of all at once, a vector a step, without a branch on what they are. Rounds are below
/// 2^24, working lengths below 2^23, memory is at most 2^28.
///
/// Of each working end E to come it is kept what those hold at time E that end then or later, and
/// how many they are, as in MemoryProfile. Of a time T between ends that sum is the largest, over
/// all later ends E, of what is kept of E less (E - T) a head: the next end has the most heads.
class ActiveLanes
{
  public:
    static constexpr std::int32_t most = 64;
    static constexpr std::int32_t never = 1 << 24;

    CRX_HD explicit ActiveLanes(std::int32_t memory) : memory_(memory)
    {
        for (int b = 0; b < blocks; ++b) {
            end_[b] = held_[b] = heads_[b] = index_[b] = Lanes::zero();
            stop_[b] = Lanes::all(last_key);
            length_[b] = Lanes::all(INT32_MAX);
        }
    }

    CRX_HD std::int32_t count() const { return count_; }
    CRX_HD RequestId id(std::int32_t lane) const { return static_cast<RequestId>(id_[lane]); }
    CRX_HD std::int32_t start(std::int32_t lane) const { return start_[lane]; }
    CRX_HD std::int32_t length(std::int32_t lane) const { return length_of_[lane]; }
    CRX_HD std::int32_t prompt(std::int32_t lane) const { return prompt_[lane]; }

    /// Starts a request with prompt s and working length e in round t, which completes at `stop`;
    /// returns its lane. Contract: count() < most.
    CRX_HD std::int32_t add(RequestId id, std::int32_t t, std::int32_t s, std::int32_t e,
                            std::int32_t stop)
    {
        auto const end = t + e;
        auto held = Lanes::zero(), heads = Lanes::zero();
        auto const own_end = Lanes::all(end);
        for (int b = 0; b < blocks; ++b) {
            auto const over = end_[b] - own_end;
            auto const later = at_least(over, Lanes::zero());
            held = larger(held, or_zero(later, held_[b] - heads_[b] * over));
            heads = larger(heads, or_zero(later, heads_[b]));
        }
        change(t, end, s - t, 1);
        auto const lane = lowest_bit(free_);
        free_ &= free_ - 1;
        ++count_;
        last_end_ = last_end_ > end ? last_end_ : end;
        put(end_, lane, end);
        put(held_, lane, greatest_of(held) + s + e);
        put(heads_, lane, greatest_of(heads) + 1);
        put(stop_, lane, stop * most + lane);
        put(length_, lane, e);
        put(index_, lane, static_cast<std::int32_t>(id));
        length_of_.put(lane, e);
        start_.put(lane, t);
        prompt_.put(lane, s);
        id_.put(lane, static_cast<std::int32_t>(id));
        return lane;
    }

    /// Takes one away at time t.
    CRX_HD void remove(std::int32_t t, std::int32_t lane)
    {
        auto const start = start_[lane], end = start + length_of_[lane];
        if (end > t) change(t, end, prompt_[lane] - start, -1);
        free_ |= std::uint64_t{1} << lane;
        --count_;
        put(end_, lane, 0);
        put(stop_, lane, last_key);
        put(length_, lane, INT32_MAX);
    }

    /// Who completes next, and when.
    struct Stop
    {
        std::int32_t round = never, lane = 0;
    };
    CRX_HD Stop next_stop() const
    {
        auto const key = least(stop_);
        return {key / most, key % most};
    }

    /// Those with the least working length, a bit each. Contract: count() > 0.
    CRX_HD std::uint64_t of_least_length() const
    {
        auto const length = least(length_);
        std::uint64_t set = 0;
        for (int b = 0; b < blocks; ++b)
            set |= std::uint64_t{bits_of(equal(length_[b], Lanes::all(length)))} << b * lanes;
        return set;
    }
    /// The lane of member number r of such a set by index.
    CRX_HD std::int32_t member(std::uint64_t set, std::int32_t r) const
    {
        if ((set & (set - 1)) == 0) return lowest_bit(set);
        Lanes below[blocks] = {};
        for (auto rest = set; rest != 0; rest &= rest - 1) {
            auto const index = Lanes::all(id_[lowest_bit(rest)]);
            for (int b = 0; b < blocks; ++b)
                below[b] = count_where(more(index_[b], index), below[b]);
        }
        for (int b = 0; b < blocks; ++b) {
            auto const found =
                static_cast<unsigned>(set >> b * lanes) & bits_of(equal(below[b], Lanes::all(r)));
            if (found != 0) return b * lanes + lowest_bit(found);
        }
        contract_violated("a member of the set", __FILE__, __LINE__);
    }

    /// The longest prompt of a request that passes the check in round t with working length e, the
    /// next token of those that have outlived theirs left out.
    CRX_HD std::int32_t most_prompt(std::int32_t t, std::int32_t e) const
    {
        if (last_end_ <= t) return memory_ - e;
        auto const own = Lanes::all(e), zero = Lanes::zero();
        auto most_held = own;
        for (int b = 0; b < blocks; ++b) {
            auto const left = end_[b] - Lanes::all(t), after = left - own; // its own end
            auto const held = held_[b] + choose(more(after, zero), own - heads_[b] * after, left);
            most_held = larger(most_held, or_zero(more(left, zero), held));
        }
        return memory_ - greatest_of(most_held);
    }

    /// First round >= t, before `limit`, in which a request (s, e) passes that check if nothing
    /// else changes; `limit` if there is none. Contract: limit is at most the next stop.
    CRX_HD std::int32_t first_fit(std::int32_t t, std::int32_t s, std::int32_t e,
                                  std::int32_t limit) const
    {
        while (t < limit) {
            auto bounds = Lanes::all(t);
            for (int b = 0; b < blocks; ++b)
                bounds =
                    larger(bounds, start_bounds(end_[b], held_[b], heads_[b], t, s, e, memory_));
            auto const bound = greatest_of(bounds);
            if (bound == t) return t;
            t = bound;
        }
        return limit;
    }

  private:
    static constexpr int lanes = Lanes::count;
    static constexpr int blocks = most / lanes; ///< vectors; all are looked through, so that
                                                ///< they stay in registers
    static constexpr std::int32_t last_key = never * most;

    CRX_HD std::int32_t least(Lanes const* values) const
    {
        auto found = Lanes::zero() - values[0];
        for (int b = 1; b < blocks; ++b) found = larger(found, Lanes::zero() - values[b]);
        return -greatest_of(found);
    }
    /// `sign` requests that hold time + shift at any time up to `end` come or go at time t.
    CRX_HD void change(std::int32_t t, std::int32_t end, std::int32_t shift, std::int32_t sign)
    {
        auto const first = Lanes::all(t), last = Lanes::all(end), more_held = Lanes::all(shift),
                   by = Lanes::all(sign);
        for (int b = 0; b < blocks; ++b) {
            auto const own = end_[b];
            auto const one = or_zero(at_most(more(own, first), own, last), by);
            held_[b] = held_[b] + one * (own + more_held);
            heads_[b] = heads_[b] + one;
        }
    }
    /// Writes one lane as a vector: it is read as one next.
    CRX_HD static void put(Lanes* values, int lane, std::int32_t value)
    {
        put_in_lanes<blocks>(values, lane, value);
    }

    std::int32_t memory_, count_ = 0, last_end_ = 0;
    std::uint64_t free_ = ~std::uint64_t{0}; ///< lanes, a bit each
    Lanes end_[blocks];                      ///< working end; 0: nobody
    Lanes held_[blocks];   ///< at that time, as above; means nothing once it is past
    Lanes heads_[blocks];  ///< by how many
    Lanes stop_[blocks];   ///< completion and lane
    Lanes length_[blocks]; ///< working length e
    Lanes index_[blocks];  ///< the request's
    SlotRow<most> length_of_, start_, prompt_, id_;
};

} // namespace
} // namespace crx
