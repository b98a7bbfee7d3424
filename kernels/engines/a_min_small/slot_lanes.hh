#pragma once

#include "kernels/base/bits.cuh"
#include "kernels/engines/a_min_small/waiting_member.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/simd/lane_moves.hh"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace crx {
namespace {

/// The active requests of several instances, one instance in each lane of V, at most 64 requests
/// each; the look-ahead check of docs/model.md#look-ahead-check on all lanes at a time. Rounds of a
/// lane count from an epoch, which move_epoch() moves, so that 16 or 32 bits are enough.
///
/// An active request is in one of its lane's 64 slots. Its working end E is its start plus working
/// length. Kept of it is E plus what those that end at E or later hold at E, each s - p + E.
template <class V>
class SlotLanes
{
  public:
    using Number = typename V::Number;
    using Mask = typename V::Mask;
    /// Sums of a few numbers do not overflow in it; a Number holds their low bits.
    using Sum = std::conditional_t<sizeof(Number) == 2, std::int32_t, std::int64_t>;
    static constexpr int lanes = V::count, most = 64;
    static constexpr Number far = std::numeric_limits<Number>::max();
    /// Outputs are below output_limit; memory plus such an output is at most memory_limit.
    static constexpr std::int64_t output_limit = far / 4 + 1, memory_limit = far;
    /// Rounds of an epoch: a lane is looked at in one of these.
    static constexpr Number epoch = far / 2 + 1;

    struct alignas(64) Row
    {
        Number of[lanes];
        V load() const { return V::load(of); }
        void store(V all) { crx::store(of, all); }
    };
    /// A request that runs.
    struct Run
    {
        std::int32_t age; ///< rounds since it started
        std::int32_t prompt, length;
        RequestId id;
    };

    SlotLanes()
    {
        for (auto& slot : slots_) {
            slot.end = slot.held = slot.shift = Row{};
            slot.stop.store(V::all(far));
        }
        change_ = {};
        changed_ = removed_ = Mask::of(0);
        base_ = count_ = Row{};
        for (auto& lane : lines_) std::ranges::fill(lane.length, far);
        std::ranges::fill(free_, ~std::uint64_t{0});
    }

    /// What look() says of each lane.
    struct View
    {
        V held;        ///< the most tokens held at a time that matters to a request of length e
                       ///< started now, its own tokens counted, not its prompt
        V at_end;      ///< what those that end with it or later hold at its end
        V stop;        ///< rounds to the next completion; many if nobody runs
        V base, count; ///< all active requests hold base + T count tokens at time T
    };
    /// Looks at all active requests at the times t for requests with working lengths e.
    View look(V t, V e)
    {
        auto const zero = V::zero(), one = V::all(1);
        auto const change_end = change_.end.load(), add = change_.add.load();
        auto const flip = or_zero(removed_, V::all(-1));
        auto const base = add_where(changed_, base_.load(), add + flip);
        auto const count = add_where(changed_, count_.load(), one + flip + flip);
        base_.store(base);
        count_.store(count);
        // Of ends before the own one the tokens held there matter. Of the others it is those held
        // at the own end: what all hold then but for those that end before, free slots among them.
        auto const own_end = t + e;
        auto most_held = zero, earlier_shift = zero, earlier = zero, stop = V::all(far);
        for (auto *at = slots_, *const past = slots_ + used_; at != past; ++at) {
            auto& slot = *at;
            auto const end = slot.end.load();
            auto const held =
                add_where(at_most(changed_, end, change_end), slot.held.load(), (end ^ flip) + add);
            slot.held.store(held);
            auto const before = less(end, own_end);
            most_held = larger_unsigned_where(more(before, end, t), most_held, held);
            earlier_shift = add_where(before, earlier_shift, slot.shift.load());
            earlier = count_where(before, earlier);
            stop = smaller(stop, slot.stop.load());
        }
        auto const heads = V::all(used_) - earlier;
        auto const at_end = base - earlier_shift + heads * own_end;
        return {larger(most_held - t, at_end + e), at_end, stop - t, base, count};
    }

    /// What all of a lane held at time t when they were looked at last.
    std::int32_t held(int lane, Sum t) const
    {
        return static_cast<Number>(base_.of[lane] + t * count_.of[lane]);
    }

    /// Active requests of a lane when they were looked at last.
    std::int32_t count(int lane) const { return count_.of[lane]; }

    bool full(int lane) const { return free_[lane] == 0; }

    /// Prepares for requests that start, one in each lane of `starts`, in the rounds t and with the
    /// lengths that the lanes were looked at for, with prompts s; and for `changes` in other lanes,
    /// which are made by remove() before the next look.
    void prepare(Mask starts, Mask changes, View const& seen, V t, V s, V e)
    {
        auto const end = t + e;
        started_held_.store(seen.at_end + end);
        change_.end.store(end); // their own slots among them
        change_.add.store(s - t);
        changed_ = starts | changes;
        removed_ = changes;
    }
    /// Gives one of them, which completes in round `stop`, a slot. Contract: the lane is not full.
    void add(int lane, RequestId id, Number length, Number stop)
    {
        auto const k = lowest_bit(free_[lane]);
        free_[lane] &= free_[lane] - 1;
        used_ = std::max(used_, k + 1);
        auto& slot = slots_[k];
        slot.end.of[lane] = change_.end.of[lane];
        slot.held.of[lane] = started_held_.of[lane];
        slot.shift.of[lane] = change_.add.of[lane];
        slot.stop.of[lane] = lines_[lane].stop[k] = stop;
        lines_[lane].length[k] = length;
        lines_[lane].id[k] = static_cast<Number>(id);
    }
    /// Takes one away in round t. Contract: at most one change in a lane between two looks if
    /// anything is asked after the second.
    Run remove(int lane, int k, Number t)
    {
        auto& slot = slots_[k];
        auto const end = slot.end.of[lane], shift = slot.shift.of[lane],
                   length = lines_[lane].length[k];
        auto const start = static_cast<Number>(Sum{end} - length);
        Run const run{static_cast<Number>(Sum{t} - start), static_cast<Number>(Sum{shift} + start),
                      length, static_cast<RequestId>(lines_[lane].id[k])};
        change_.end.of[lane] = end;
        change_.add.of[lane] = static_cast<Number>(Sum{1} - shift);
        free_[lane] |= std::uint64_t{1} << k;
        slot.end.of[lane] = slot.shift.of[lane] = 0;
        slot.stop.of[lane] = far;
        lines_[lane].length[k] = far;
        return run;
    }
    /// Takes all away.
    void clear(int lane, Number t)
    {
        for (auto rest = ~free_[lane]; rest != 0; rest &= rest - 1)
            remove(lane, lowest_bit(rest), t);
    }
    /// The epoch of a lane begins `epoch` rounds later.
    void move_epoch(int lane)
    {
        auto const less = [](Number& of) { of = static_cast<Number>(Sum{of} - epoch); };
        auto const more = [](Number& of) { of = static_cast<Number>(Sum{of} + epoch); };
        for (auto rest = ~free_[lane]; rest != 0; rest &= rest - 1) {
            auto const k = lowest_bit(rest);
            less(slots_[k].end.of[lane]);
            less(slots_[k].held.of[lane]);
            more(slots_[k].shift.of[lane]);
            less(slots_[k].stop.of[lane]);
            less(lines_[lane].stop[k]);
        }
        base_.of[lane] = static_cast<Number>(base_.of[lane] + Sum{epoch} * count_.of[lane]);
        // And of what has come or gone since.
        less(change_.end.of[lane]);
        (bits_of(removed_) >> lane & 1) != 0 ? less(change_.add.of[lane])
                                             : more(change_.add.of[lane]);
    }

    /// Looks no further than to the last slot that is in use.
    void shrink()
    {
        auto used = std::uint64_t{0};
        for (auto const lane : free_) used |= ~lane;
        used_ = bit_length(used);
    }

    /// The slot of the first of a lane's requests that complete in round t. Contract: one does.
    int completing(int lane, Number t) const
    {
        return lowest_bit(slots_with(lines_[lane].stop, t) & ~free_[lane]);
    }
    /// The slots of a lane's requests with the least working length, a bit each.
    std::uint64_t of_least_length(int lane) const
    {
        auto const& length = lines_[lane].length;
        auto least = V::load(length);
        for (int k = V::count; k < used_; k += V::count)
            least = smaller(least, V::load(length + k));
        return slots_with(length, static_cast<Number>(least_of(least)));
    }
    /// The slot of member number r of such a set by index.
    int member(int lane, std::uint64_t set, int r) const
    {
        auto const& ids = lines_[lane].id;
        for (int first = 0;; first += V::count) {
            auto const some = V::load(ids + first);
            auto below = V::zero();
            for (auto rest = set; rest != 0; rest &= rest - 1)
                below = count_where(less(V::all(ids[lowest_bit(rest)]), some), below);
            auto const found = std::uint64_t{bits_of(equal(below, V::all(r)))} & set >> first;
            if (found != 0) return first + lowest_bit(found);
        }
    }

    /// Fewest rounds d >= 1, fewer than `limit`, after which a request (s, e) passes the check if
    /// nothing else changes; `limit` if there are none. Contract: it is round t; limit is at most
    /// the rounds to the next stop.
    std::int32_t first_fit(int lane, Number t, std::int32_t s, std::int32_t e, std::int32_t room,
                           std::int32_t limit) const
    {
        for (std::int32_t d = 1; d < limit;) {
            // As ActiveLanes::first_fit: each end demands a start of its own, the latest counts. Of
            // the ends after its own the first has the most tokens held there.
            auto next = d, first_after = INT32_MAX, shift_after = 0, after = 0;
            for (auto rest = ~free_[lane]; rest != 0 && next < limit; rest &= rest - 1) {
                auto const& slot = slots_[lowest_bit(rest)];
                std::int32_t const end = static_cast<Number>(Sum{slot.end.of[lane]} - t);
                if (end <= d) continue;
                if (end > d + e) {
                    first_after = std::min(first_after, end);
                    shift_after += static_cast<Number>(Sum{slot.shift.of[lane]} + t);
                    ++after;
                } else {
                    auto const held = static_cast<Number>(Sum{slot.held.of[lane]} - t);
                    next = std::max(next, end + std::min(held - end + s - room, 0));
                }
            }
            if (after != 0 && shift_after + after * (d + e) + e + s > room)
                next = std::max(next, first_after + 1 - e);
            if (next == d) return d;
            d = next;
        }
        return limit;
    }

  private:
    struct Slot
    {
        Row end;   ///< working end; 0: nobody
        Row held;  ///< as above, unsigned; means nothing once the end is past
        Row shift; ///< s - p; 0: nobody
        Row stop;  ///< completion; far: nobody
    };
    /// One request comes or goes: to what is held at each end E up to `end`, E + add is added if it
    /// comes, ~E + add = add - 1 - E if it goes.
    struct Change
    {
        Row end, add;
    };
    using Line = Number[most]; ///< of a lane

    std::uint64_t slots_with(Line const& line, Number value) const
    {
        std::uint64_t set = 0;
        for (int k = 0; k < used_; k += V::count)
            set |= std::uint64_t{bits_of(equal(V::all(value), V::load(line + k)))} << k;
        return set;
    }

    int used_ = 1; ///< slots that are looked at
    Slot slots_[most];
    Change change_;    ///< by the next look
    Mask changed_;     ///< where there is one
    Mask removed_;     ///< where it goes
    Row base_, count_; ///< as seen last
    Row started_held_; ///< of the slots of those that start
    /// Of one lane.
    struct alignas(64) Lines
    {
        Line stop, length, id; ///< length: far where nobody is
    };
    Lines lines_[lanes];
    std::uint64_t free_[lanes]; ///< slots, a bit each
};

} // namespace
} // namespace crx
