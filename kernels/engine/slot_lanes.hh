#pragma once

#include "kernels/base/bits.cuh"
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
/// then or later hold at time T <= E: shift + heads T, the sums of s - p and of 1 over them.
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
            slot.end = slot.shift = slot.heads = Row{};
            std::ranges::fill(slot.stop.of, last_key);
        }
        change_ = {};
        for (auto& lane : length_) std::ranges::fill(lane, INT32_MAX);
        std::ranges::fill(free_, ~std::uint64_t{0});
    }

    /// What look() says of each lane.
    struct View
    {
        Lanes held; ///< the most tokens held at a time that matters to a request of length e
                    ///< started now, its own tokens counted, not its prompt
        Lanes at_end, heads; ///< what those that end with it or later hold at its end; how many
        Lanes stop;          ///< the next completion and its slot, as stop_of
    };
    /// Looks at all active requests at the times t for requests with working lengths e.
    View look(Lanes t, Lanes e)
    {
        auto const zero = Lanes::zero(), own_end = t + e;
        View seen{own_end, zero, zero, Lanes::all(last_key)};
        auto earlier_ends = zero; // how many end before it, free slots among them
        auto const change_end = change_.end.load(), change_shift = change_.shift.load(),
                   change_heads = change_.heads.load();
        for (auto *at = slots_, *const past = slots_ + used_; at != past; ++at) {
            auto& slot = *at;
            auto const end = slot.end.load();
            auto const changes = at_most(end, change_end);
            auto const shift = add_where(changes, slot.shift.load(), change_shift);
            auto const heads = add_where(changes, slot.heads.load(), change_heads);
            slot.shift.store(shift);
            slot.heads.store(heads);
            auto const first_end = smaller(end, own_end);
            auto const held = shift + heads * first_end;
            seen.held = larger(seen.held, sum_or_zero(more(end, t), held, first_end));
            auto const earlier = less(end, own_end);
            seen.at_end = larger(seen.at_end, zero_where(earlier, held));
            earlier_ends = count_where(earlier, earlier_ends);
            seen.stop = smaller(seen.stop, slot.stop.load());
        }
        seen.held = seen.held - t;
        seen.heads = Lanes::all(used_) - earlier_ends;
        return seen;
    }
    static Lanes round_of(Lanes stop) { return shift_right<6>(stop); }
    static int slot_of(std::int32_t stop) { return stop % most; }

    bool full(int lane) const { return free_[lane] == 0; }
    Run const& run(int lane, int slot) const { return runs_[lane][slot]; }

    /// Requests that start, one in each lane of `set`, in the round and with the length that the
    /// lanes were looked at for.
    struct Starts
    {
        Row end, shift, heads; ///< of its slot
    };
    /// Prepares them: rounds t, prompts s, lengths e.
    void prepare(LaneSet set, View const& seen, Lanes t, Lanes s, Lanes e)
    {
        auto const end = t + e;
        starts_.end.store(end);
        starts_.shift.store(seen.at_end - seen.heads * end);
        starts_.heads.store(seen.heads);
        change_.end.store(or_zero(set, end)); // their own slots among them
        change_.shift.store(s - t);
        change_.heads.store(Lanes::all(1));
    }
    /// Gives one of them, which completes in round `stop`, a slot. Contract: the lane is not full.
    void add(int lane, Run const& run, std::int32_t stop)
    {
        auto const k = lowest_bit(free_[lane]);
        free_[lane] &= free_[lane] - 1;
        used_ = std::max(used_, k + 1);
        auto& slot = slots_[k];
        slot.end.of[lane] = starts_.end.of[lane];
        slot.shift.of[lane] = starts_.shift.of[lane];
        slot.heads.of[lane] = starts_.heads.of[lane];
        slot.stop.of[lane] = stop * most + k;
        runs_[lane][k] = run;
        length_[lane][k] = run.length;
        index_[lane][k] = static_cast<std::int32_t>(run.id);
    }
    /// Takes one away. At most one change in a lane between two looks.
    void remove(int lane, int k)
    {
        auto const& run = runs_[lane][k];
        change(lane, run.start + run.length, run.start - run.prompt, -1);
        free_[lane] |= std::uint64_t{1} << k;
        slots_[k].end.of[lane] = 0;
        slots_[k].stop.of[lane] = last_key;
        length_[lane][k] = INT32_MAX;
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
        std::int32_t index[most + Lanes::count], slot[most + Lanes::count];
        int found = 0;
        for (int k = 0; k < used_; k += Lanes::count) {
            auto const bits = static_cast<unsigned>(set >> k) & all_bits;
            store_packed(bits, index + found, Lanes::load(index_[lane] + k));
            store_packed(bits, slot + found, Lanes::numbers() + Lanes::all(k));
            found += count_bits(bits);
        }
        store_anywhere(index + found, Lanes::all(INT32_MAX));
        auto const steps = std::max(found, 8); // how few there are is hard to foresee
        auto const wanted = Lanes::all(r);
        for (int k = 0;; k += Lanes::count) {
            auto const some = Lanes::load_anywhere(index + k);
            auto below = Lanes::zero();
            for (int j = 0; j < steps; ++j)
                below = count_where(more(some, Lanes::all(index[j])), below);
            auto const own = bits_of(equal(below, wanted));
            if (own != 0) return slot[k + lowest_bit(own)];
        }
    }

    /// First round >= t, before `limit`, in which a request (s, e) passes the check if nothing else
    /// changes; `limit` if there is none. Contract: limit is at most the next stop.
    std::int32_t first_fit(int lane, std::int32_t t, std::int32_t s, std::int32_t e,
                           std::int32_t room, std::int32_t limit) const
    {
        while (t < limit) {
            // As FewLanes::first_fit: each end demands a start of its own, the latest counts.
            auto next = t;
            for (auto rest = ~free_[lane]; rest != 0; rest &= rest - 1) {
                auto const& slot = slots_[lowest_bit(rest)];
                auto const end = slot.end.of[lane], shift = slot.shift.of[lane],
                           heads = slot.heads.of[lane];
                if (end <= t) continue;
                if (end > t + e) {
                    if (shift + heads * (t + e) + e + s > room) next = std::max(next, end + 1 - e);
                } else {
                    auto const over = shift + heads * end + s - room;
                    next = std::max(next, end + std::min(over, 0));
                }
            }
            if (next == t) return t;
            t = next;
        }
        return limit;
    }

  private:
    static constexpr unsigned all_bits = (1u << Lanes::count) - 1;

    static constexpr std::int32_t last_key = never * most;

    struct Slot
    {
        Row end;          ///< working end; 0: nobody
        Row shift, heads; ///< as above; mean nothing once the end is past
        Row stop;         ///< completion and slot
    };
    struct Change
    {
        Row end, shift, heads; ///< added to all ends up to `end`
    };
    void change(int lane, std::int32_t end, std::int32_t shift, std::int32_t heads)
    {
        change_.end.of[lane] = end;
        change_.shift.of[lane] = shift;
        change_.heads.of[lane] = heads;
    }

    int used_ = 1; ///< slots that are looked at
    Slot slots_[most];
    Change change_; ///< by the next look
    Starts starts_;
    alignas(64) std::int32_t length_[lanes][most], index_[lanes][most];
    Run runs_[lanes][most];
    std::uint64_t free_[lanes]; ///< slots, a bit each
};

} // namespace
} // namespace crx
