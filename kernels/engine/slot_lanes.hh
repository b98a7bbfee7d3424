#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/engine/front_member.cuh"
#include "kernels/engine/lane_vectors.cuh"
#include "kernels/model/requests.cuh"

#include <algorithm>

// CPU only, with the vectors of lane_vectors.cuh.
namespace crx {
namespace {

/// The active requests of several instances, a lane each, at most 64 in a lane; the look-ahead
/// check of SPEC section 3 on all lanes at a time. Rounds are below 2^24, working lengths below
/// 2^23, memory is at most 2^28.
///
/// An active request is in a slot of its lane. Of its working end E it is kept what those that end
/// then or later hold at time E, a sum of s - p + E over them, and E on top of it.
class SlotLanes
{
  public:
    static constexpr int lanes = Lanes::count, most = 64;
    static_assert(most == 1 << 6);
    static constexpr std::int32_t never = 1 << 24;

    struct alignas(64) Row
    {
        std::int32_t of[lanes];
        Lanes load() const { return Lanes::load(of); }
        void store(Lanes all) { crx::store(of, all); }
    };
    /// A request that runs.
    struct Run
    {
        std::int32_t start, prompt, length;
        RequestId id;
    };

    SlotLanes()
    {
        for (auto& slot : slots_) {
            slot.end = slot.held = slot.shift = Row{};
            std::ranges::fill(slot.stop.of, last_key);
        }
        change_ = {};
        base_ = count_ = Row{};
        for (auto& lane : length_) std::ranges::fill(lane, INT32_MAX);
        std::ranges::fill(free_, ~std::uint64_t{0});
    }

    /// What look() says of each lane.
    struct View
    {
        Lanes held;        ///< the most tokens held at a time that matters to a request of length e
                           ///< started now, its own tokens counted, not its prompt
        Lanes at_end;      ///< what those that end with it or later hold at its end
        Lanes stop;        ///< the next completion and its slot, as stop_of
        Lanes base, count; ///< all active requests hold base + T count tokens at time T
    };
    /// Looks at all active requests at the times t for requests with working lengths e.
    View look(Lanes t, Lanes e)
    {
        auto const zero = Lanes::zero(), one = Lanes::all(1), own_end = t + e;
        auto const change_end = change_.end.load(), flip = change_.flip.load(),
                   add = change_.add.load();
        auto const changed = not_zero(change_end);
        auto const base = add_where(changed, base_.load(), add + flip);
        auto const count = add_where(changed, count_.load(), one + flip + flip);
        base_.store(base);
        count_.store(count);
        // Of ends before the own one the tokens held there matter. Of the others it is those held
        // at the own end: what all hold then but for those that end before, free slots among them.
        auto most_held = zero, earlier_shift = zero, earlier = zero, stop = Lanes::all(last_key);
        for (auto *at = slots_, *const past = slots_ + used_; at != past; ++at) {
            auto& slot = *at;
            auto const end = slot.end.load();
            auto const held =
                add_where(at_most(end, change_end), slot.held.load(), (end ^ flip) + add);
            slot.held.store(held);
            auto const before = less(end, own_end);
            most_held = larger_where(more(before, end, t), most_held, held);
            earlier_shift = add_where(before, earlier_shift, slot.shift.load());
            earlier = count_where(before, earlier);
            stop = smaller(stop, slot.stop.load());
        }
        auto const heads = Lanes::all(used_) - earlier;
        auto const at_end = base - earlier_shift + heads * own_end;
        return {larger(most_held, at_end + own_end) - t, at_end, stop, base, count};
    }
    static Lanes round_of(Lanes stop) { return shift_right<6>(stop); }
    static int slot_of(std::int32_t stop) { return stop % most; }

    /// What all of a lane held at time t when they were looked at last.
    std::int32_t held(int lane, std::int32_t t) const
    {
        return base_.of[lane] + t * count_.of[lane];
    }

    bool full(int lane) const { return free_[lane] == 0; }

    /// Requests that start, one in each lane of `set`, in the round and with the length that the
    /// lanes were looked at for.
    struct Starts
    {
        Row end, held; ///< of its slot
    };
    /// Prepares them: rounds t, prompts s, lengths e.
    void prepare(LaneSet set, View const& seen, Lanes t, Lanes s, Lanes e)
    {
        auto const end = t + e;
        starts_.end.store(end);
        starts_.held.store(seen.at_end + end);
        change_.end.store(or_zero(set, end)); // their own slots among them
        change_.flip.store(Lanes::zero());
        change_.add.store(s - t);
    }
    /// Gives one of them, a WaitingMember that completes in round `stop`, a slot. Contract: the
    /// lane is not full.
    void add(int lane, std::uint32_t member, std::int32_t length, std::int32_t stop)
    {
        auto const k = lowest_bit(free_[lane]);
        free_[lane] &= free_[lane] - 1;
        used_ = std::max(used_, k + 1);
        auto& slot = slots_[k];
        slot.end.of[lane] = starts_.end.of[lane];
        slot.held.of[lane] = starts_.held.of[lane];
        slot.shift.of[lane] = change_.add.of[lane];
        slot.stop.of[lane] = stop * most + k;
        length_[lane][k] = length;
        member_[lane][k] = member;
    }
    /// Takes one away. At most one change in a lane between two looks.
    Run remove(int lane, int k)
    {
        auto& slot = slots_[k];
        auto const end = slot.end.of[lane], length = length_[lane][k];
        auto const member = member_[lane][k];
        Run const run{end - length, WaitingMember::prompt_of(member), length,
                      WaitingMember::id_of(member)};
        change_.end.of[lane] = end;
        change_.flip.of[lane] = -1;
        change_.add.of[lane] = 1 - slot.shift.of[lane];
        free_[lane] |= std::uint64_t{1} << k;
        slot.end.of[lane] = slot.shift.of[lane] = 0;
        slot.stop.of[lane] = last_key;
        length_[lane][k] = INT32_MAX;
        return run;
    }
    /// Takes all away.
    void clear(int lane)
    {
        for (auto rest = ~free_[lane]; rest != 0; rest &= rest - 1) remove(lane, lowest_bit(rest));
    }

    /// Looks no further than to the last slot that is in use.
    void shrink()
    {
        auto used = std::uint64_t{0};
        for (auto const lane : free_) used |= ~lane;
        used_ = bit_length(used);
    }

    /// The slots of a lane's requests with the least working length, a bit each.
    std::uint64_t of_least_length(int lane) const
    {
        auto const* const length = length_[lane];
        auto least = Lanes::load(length);
        for (int k = Lanes::count; k < used_; k += Lanes::count)
            least = smaller(least, Lanes::load(length + k));
        auto const value = Lanes::all(least_of(least));
        std::uint64_t set = 0;
        for (int k = 0; k < used_; k += Lanes::count)
            set |= std::uint64_t{bits_of(equal(value, Lanes::load(length + k)))} << k;
        return set;
    }
    /// The slot of member number r of such a set by index.
    int member(int lane, std::uint64_t set, int r) const
    {
        if ((set & (set - 1)) == 0) return lowest_bit(set);
        // Members are in the order of their indices, which are above the prompts.
        constexpr int looked_at = 16, vectors = looked_at / Lanes::count; // seldom are there others
        auto const all = LaneSet::below(Lanes::count);
        auto const* const member = member_[lane];
        for (int first = 0;; first += looked_at) {
            Lanes members[vectors], below[vectors] = {};
            for (int b = 0; b < vectors; ++b)
                members[b] = Lanes::load(member + first + b * Lanes::count);
            for (auto rest = set; rest != 0; rest &= rest - 1) {
                auto const one = Lanes::all(static_cast<std::int32_t>(member[lowest_bit(rest)]));
                for (int b = 0; b < vectors; ++b)
                    below[b] = count_where(less_unsigned(all, one, members[b]), below[b]);
            }
            std::uint64_t found = 0;
            for (int b = 0; b < vectors; ++b)
                found |= std::uint64_t{bits_of(equal(below[b], Lanes::all(r)))} << b * Lanes::count;
            found &= set >> first;
            if (found != 0) return first + lowest_bit(found);
        }
    }

    /// First round >= t, before `limit`, in which a request (s, e) passes the check if nothing else
    /// changes; `limit` if there is none. Contract: limit is at most the next stop.
    std::int32_t first_fit(int lane, std::int32_t t, std::int32_t s, std::int32_t e,
                           std::int32_t room, std::int32_t limit) const
    {
        while (t < limit) {
            // As FewLanes::first_fit: each end demands a start of its own, the latest counts. Of
            // those after the own end the first has the most tokens held there.
            auto next = t, first_after = INT32_MAX, shift_after = 0, after = 0;
            for (auto rest = ~free_[lane]; rest != 0; rest &= rest - 1) {
                auto const& slot = slots_[lowest_bit(rest)];
                auto const end = slot.end.of[lane];
                if (end <= t) continue;
                if (end > t + e) {
                    first_after = std::min(first_after, end);
                    shift_after += slot.shift.of[lane];
                    ++after;
                } else {
                    auto const over = slot.held.of[lane] - end + s - room;
                    next = std::max(next, end + std::min(over, 0));
                }
            }
            if (after != 0 && shift_after + after * (t + e) + e + s > room)
                next = std::max(next, first_after + 1 - e);
            if (next == t) return t;
            t = next;
        }
        return limit;
    }

  private:
    static constexpr std::int32_t last_key = never * most;

    struct Slot
    {
        Row end;   ///< working end; 0: nobody
        Row held;  ///< as above; means nothing once the end is past
        Row shift; ///< s - p; 0: nobody
        Row stop;  ///< completion and slot
    };
    /// One request comes or goes: to what is held at each end E up to `end`, E + add is added, or
    /// with all bits of E the other way round where `flip` is -1, which is add - 1 - E.
    struct Change
    {
        Row end, flip, add;
    };

    int used_ = 1; ///< slots that are looked at
    Slot slots_[most];
    Change change_;    ///< by the next look
    Row base_, count_; ///< as seen last
    Starts starts_;
    alignas(64) std::int32_t length_[lanes][most];
    alignas(64) std::uint32_t member_[lanes][most];
    std::uint64_t free_[lanes]; ///< slots, a bit each
};

} // namespace
} // namespace crx
