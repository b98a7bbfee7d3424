#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/base/lane_moves.hh"
#include "kernels/engines/a_min/batch_words.hh"
#include "kernels/engines/a_min/waiting_order.cuh"
#include "kernels/engines/a_min/waiting_queue.cuh"
#include "kernels/model/requests.cuh"

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
        V stop;        ///< rounds to the next completion; many if no request runs
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
        Row end;   ///< working end; 0: no request
        Row held;  ///< as above, unsigned; means nothing once the end is past
        Row shift; ///< s - p; 0: no request
        Row stop;  ///< completion; far: no request
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
        Line stop, length, id; ///< length: far where no request is
    };
    Lines lines_[lanes];
    std::uint64_t free_[lanes]; ///< slots, a bit each
};

template <class Work>
[[gnu::always_inline]] inline void for_each_lane(unsigned set, Work work)
{
    for (auto rest = set; rest != 0; rest &= rest - 1) work(lowest_bit(rest));
}

/// What waits in each of several instances, a lane of V each, and which of those with the least
/// length is drawn. One that comes back with a shorter length than all others is kept apart until
/// it is drawn, the next step in most cases, and the others are as they were.
template <class V>
class WaitingLanes
{
  public:
    using Number = typename V::Number;
    using Mask = typename V::Mask;
    using Row = typename SlotLanes<V>::Row;
    static constexpr int lanes = V::count;
    static constexpr Number none_waits = SlotLanes<V>::far; ///< least prompt where no request waits

    WaitingLanes(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, Arena& arena)
        : alone_(arena.take<std::uint32_t>(lanes)), words_(seed, stream, first)
    {
        std::ranges::fill(length_.of, 1);
        std::ranges::fill(least_.of, none_waits);
        std::ranges::fill(count_.of, 1);
        std::ranges::fill(members_, 0); // may be read where there is no instance
        std::fill_n(alone_, lanes, 0);
    }
    /// A function of its own: beside all the rest its counters would find no registers.
    [[gnu::noinline]] void fill(int lane, Requests const& requests, Arena& arena)
    {
        front_[lane] = Front(arena, requests.n);
        front_[lane].fill(requests.lower, requests.prompt);
        output_[lane] = requests.output;
        look(lane);
    }

    V length() const { return length_.load(); }
    V least_prompt() const { return least_.load(); }
    Number length(int lane) const { return length_.of[lane]; }
    Number least_prompt(int lane) const { return least_.of[lane]; }

    /// Who is drawn next in each lane, if anybody is: asked for early, as it takes a while.
    struct Candidates
    {
        Wide place[V::parts], member[V::parts];
        Mask again; ///< where a word may not be enough
    };
    Candidates candidates()
    {
        Candidates c;
        auto const wait = less(least_.load(), V::all(none_waits));
        c.again = words_.propose(wait, count_.load(), c.place);
        for_each_part<V>([&](auto p) CRX_LAMBDA_IN_LANES {
            auto const at = Wide::load(members_ + p() * Wide::count) + c.place[p];
            c.member[p] = same_bits<std::int32_t>(gather(alone_, or_zero(part_of<p()>(wait), at)));
        });
        return c;
    }

    /// Draws in these lanes; returns the prompts.
    V draw(Mask mask, Candidates const& c)
    {
        auto const again = c.again & mask;
        words_.use(without(mask, again), count_.load());
        place_.store(joined(c.place));
        for_each_part<V>(
            [&](auto p) CRX_LAMBDA_IN_LANES { store(member_ + p() * Wide::count, c.member[p]); });
        if (bits_of(again) == 0) [[likely]]
            return prompts_of(c.member);
        for_each_lane(bits_of(again), [&](int k) {
            auto const r = bounded(k, static_cast<std::uint64_t>(count_.of[k]));
            place_.of[k] = static_cast<Number>(r);
            member_[k] = alone_[members_[k] + static_cast<std::int64_t>(r)];
        });
        Wide drawn[V::parts];
        for_each_part<V>([&](auto p) CRX_LAMBDA_IN_LANES {
            drawn[p] = Wide::load(member_ + p() * Wide::count);
        });
        return prompts_of(drawn);
    }
    /// The next word of one lane, as WordStream::bounded.
    std::uint64_t bounded(int lane, std::uint64_t count) { return words_.bounded(lane, count); }

    /// Output tokens of one of the lane's requests.
    std::int32_t output(int lane, RequestId id) const { return output_[lane][id]; }
    /// Who was drawn last.
    RequestId drawn(int lane) const { return WaitingMember::id_of(member_[lane]); }

    /// Removes what was drawn last in these lanes, with these prompts; `work` is called for each
    /// lane before. Those that need more than most do are done apart: within one lane it is hard to
    /// foresee.
    template <class Work>
    [[gnu::always_inline]] void take_drawn(Mask mask, V prompt, Work work)
    {
        auto const near = V::all(Front::near), one = V::all(1);
        auto const count = count_.load();
        auto const stays = more(mask, count, one); // the class in front
        auto const far = at_least(stays, place_.load(), near);
        auto const had_least = equal(far | more(stays, count, near + one), prompt, least_.load());
        count_.store(count - or_zero(mask, one));
        for_each_lane(bits_of(far), [&](int k) {
            work(k);
            front_[k].take_far(static_cast<std::uint32_t>(place_.of[k]));
            ++members_[k];
        });
        for_each_lane(bits_of(without(stays, far)), [&](int k) {
            work(k);
            front_[k].take_near(static_cast<std::uint32_t>(place_.of[k]));
            least_.of[k] = static_cast<Number>(front_[k].least_prompt());
            ++members_[k];
        });
        auto const last = bits_of(without(mask, stays)), alone = last & is_alone_;
        is_alone_ &= ~alone;
        for_each_lane(alone, [&](int k) {
            work(k);
            look(k);
        });
        for_each_lane(last & ~alone, [&](int k) {
            work(k);
            front_[k].take_last();
            look(k);
        });
        for_each_lane(bits_of(had_least), [&](int k) {
            front_[k].find_least_again();
            least_.of[k] = static_cast<Number>(front_[k].least_prompt());
        });
    }
    /// One that has left waits again with this length.
    void push(int lane, RequestId id, std::int32_t prompt, std::int32_t length)
    {
        auto const bit = 1u << lane;
        if (length < length_.of[lane] && (is_alone_ & bit) == 0) {
            is_alone_ |= bit;
            alone_[lane] = WaitingMember::of(id, prompt);
            length_.of[lane] = static_cast<Number>(length);
            least_.of[lane] = static_cast<Number>(prompt);
            count_.of[lane] = 1;
            members_[lane] = lane;
            return;
        }
        if ((is_alone_ & bit) != 0) [[unlikely]] {
            auto const own = length_.of[lane];
            if (length > own) return front_[lane].push(id, prompt, length);
            is_alone_ &= ~bit;
            auto const one = alone_[lane];
            front_[lane].push(WaitingMember::id_of(one), WaitingMember::prompt_of(one), own);
        }
        front_[lane].push(id, prompt, length);
        look(lane);
    }
    /// Nobody waits any more.
    void clear(int lane)
    {
        least_.of[lane] = none_waits;
        is_alone_ &= ~(1u << lane);
    }

  private:
    using Front = BasicWaitingQueueByLength<V>;

    static V prompts_of(Wide const (&members)[V::parts])
    {
        Wide prompts[V::parts];
        for_each_part<V>(
            [&](auto p) { prompts[p] = members[p] & Wide::all(Front::prompt_limit - 1); });
        return joined(prompts);
    }
    /// What is kept of the class in front.
    void look(int lane)
    {
        auto const& front = front_[lane];
        constexpr std::int32_t limit = none_waits;
        length_.of[lane] = static_cast<Number>(std::min(front.length(), limit));
        least_.of[lane] = static_cast<Number>(std::min(front.least_prompt(), limit));
        count_.of[lane] = static_cast<Number>(front.count());
        members_[lane] = static_cast<std::int32_t>(front.members() - alone_);
    }

    Row length_, least_, count_;              ///< of those with the least length
    alignas(64) std::int32_t members_[lanes]; ///< where they lie, from alone_ on
    std::uint32_t* alone_;                    ///< the one kept apart, a lane each
    unsigned is_alone_ = 0;                   ///< lanes where somebody is
    std::int32_t const* output_[lanes] = {};  ///< of all requests
    Row place_;                               ///< drawn last
    alignas(64) std::uint32_t member_[lanes];
    BatchWords<V> words_;
    Front front_[lanes];
};

} // namespace
} // namespace crx
