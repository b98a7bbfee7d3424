#pragma once

#include "kernels/base/warp_lanes.cuh"
#include "kernels/base/warp_moves.cuh"
#include "kernels/engines/requests/order.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/random/warp_words.cuh"

namespace crx {
namespace {

/// ListSchedule with ends in any order for a warp: the ends to come lie in lanes, in no order, and
/// each start looks at all of them at once. Of an end E is kept what those hold at time E that end
/// then or later, and how many they are; of a time T between ends the first sum is the largest,
/// over all later ends E, of what is kept of E less (E - T) a head, as in ActiveLanes.
///
/// Numbers are 32 bits: see fits_list().
class WarpList
{
  public:
    static constexpr int most = 128; ///< ends to come at a time
    CRX_HD WarpList()
    {
        for (int b = 0; b < blocks; ++b) {
            end_[b] = Lanes::all(-1);
            held_[b] = heads_[b] = Lanes::zero();
        }
    }

    /// Starts the requests in the order given; writes starts where it is not null. Returns false,
    /// and the outcome then means nothing, where more than `most` ends are to come at a time.
    CRX_HD bool execute(Requests const& r, RequestId const* order, Rounds* starts, Outcome& outcome)
    {
        memory_ = static_cast<std::int32_t>(r.memory);
        std::int32_t t = 0, last_start = -1;
        for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
            auto const left = static_cast<std::int32_t>(r.n - k);
            auto const some = LaneSet::below(left);
            auto const id = lanes_of(some, [=](int lane) { return order[k + lane]; });
            auto const prompt = gather(some, r.prompt, id), output = gather(some, r.output, id);
            for (int lane = 0; lane < Lanes::count && lane < left; ++lane) {
                auto const s = number_at(prompt, lane), o = number_at(output, lane);
                t = earliest(t, s, o);
                if (t != last_start && !ends_at(t)) ++outcome.events; // an end is counted already
                last_start = t;
                if (!add(t, s, o)) return false;
                outcome.total_latency += std::int64_t{t} + o;
                outcome.first_token_latency += std::int64_t{t} + 1;
                if (starts != nullptr) write_one(starts + number_at(id, lane), Rounds{t});
            }
        }
        outcome.events += ends_;
        outcome.makespan = last_end_;
        for (int b = 0; b < blocks; ++b) peak_ = larger(peak_, held_[b]);
        outcome.peak_memory = greatest_of(peak_);
        return true;
    }

  private:
    static constexpr int blocks = most / Lanes::count;

    /// First round from t on in which (s, o) fits: see ActiveLanes::first_fit.
    CRX_HD std::int32_t earliest(std::int32_t t, std::int32_t s, std::int32_t o) const
    {
        for (;;) {
            auto bounds = Lanes::all(t);
            for (int b = 0; b < blocks; ++b) {
                if (b >= used_) break;
                bounds =
                    larger(bounds, start_bounds(end_[b], held_[b], heads_[b], t, s, o, memory_));
            }
            auto const bound = greatest_of(bounds);
            if (bound == t) return t;
            t = bound;
        }
    }

    CRX_HD bool ends_at(std::int32_t t) const
    {
        std::uint32_t any = 0;
        for (int b = 0; b < blocks; ++b)
            if (b < used_) any |= bits_of(equal(end_[b], Lanes::all(t)));
        return any != 0;
    }

    /// Whether there is a lane for it.
    CRX_HD bool add(std::int32_t t, std::int32_t s, std::int32_t o)
    {
        auto const own = Lanes::all(t + o), now = Lanes::all(t);
        auto held = Lanes::zero(), heads = Lanes::zero();
        std::uint32_t same = 0;
        for (int b = 0; b < blocks; ++b) {
            if (b >= used_) break;
            auto const over = end_[b] - own;
            auto const later = at_least(over, Lanes::zero());
            held = larger(held, or_zero(later, held_[b] - heads_[b] * over));
            heads = larger(heads, or_zero(later, heads_[b]));
            same |= bits_of(equal(end_[b], own));
            auto const before = more(end_[b], now) & at_most(end_[b], own);
            held_[b] = add_where(before, held_[b], end_[b] + Lanes::all(s - t));
            heads_[b] = count_where(before, heads_[b]);
        }
        if (same != 0) return true;
        ++ends_;
        last_end_ = last_end_ > t + o ? last_end_ : t + o;
        return put(t, t + o, greatest_of(held) + s + o, greatest_of(heads) + 1);
    }
    /// Gives an end the lane of one that is past at time t.
    CRX_HD bool put(std::int32_t t, std::int32_t end, std::int32_t held, std::int32_t heads)
    {
        int lane = -1; // loops as plain as this are unrolled, and what they index lies in registers
        for (int b = 0; b < blocks; ++b) {
            auto const past = bits_of(at_most(end_[b], Lanes::all(t)));
            if (lane < 0 && past != 0) lane = b * Lanes::count + lowest_bit(past);
        }
        if (lane < 0) return false;
        for (int b = 0; b < blocks; ++b) {
            auto const here = equal(Lanes::numbers(), Lanes::all(lane - b * Lanes::count));
            peak_ = larger_where(here, peak_, held_[b]);
            end_[b] = choose(here, Lanes::all(end), end_[b]);
            held_[b] = choose(here, Lanes::all(held), held_[b]);
            heads_[b] = choose(here, Lanes::all(heads), heads_[b]);
        }
        auto const used = lane / Lanes::count + 1;
        used_ = used_ > used ? used_ : used;
        return true;
    }

    std::int32_t memory_ = 0, ends_ = 0, last_end_ = 0;
    int used_ = 1;               ///< vectors that ever had an end
    Lanes end_[blocks];          ///< -1: none
    Lanes held_[blocks];         ///< at that time, as above; stays as it is once it is past
    Lanes heads_[blocks];        ///< by how many
    Lanes peak_ = Lanes::zero(); ///< the most that was held at ends whose lanes were given away
};

/// Whether 32 bits are enough for WarpList: no request completes later than if they ran one by one,
/// and memory plus that is below 2^30. So n is too, and TEL is below 2^60.
CRX_HD inline bool fits_list(Requests const& r)
{
    auto outputs = Lanes::zero();
    for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
        auto const some = LaneSet::below(static_cast<std::int32_t>(r.n - k));
        outputs = larger(outputs, lanes_of(some, [&](int lane) { return r.output[k + lane]; }));
    }
    return r.memory + r.n * greatest_of(outputs) <= INT32_MAX / 2;
}

/// Arrays that it needs for n requests.
struct WarpOrder
{
    RequestId *order, *copy;
    CRX_HD WarpOrder(Arena& arena, std::int64_t n)
        : order(arena.take<RequestId>(n)), copy(arena.take<RequestId>(n))
    {
    }
};

/// Whether a lane can hold the policy's rank keys of all these requests: 0 <= key < 2^31.
/// Contract: all are there at 0, plans_with_outputs, 0 <= memory < 2^31.
template <class P>
CRX_HD bool lanes_hold_keys(P const& policy, Requests const& r)
{
    auto const most = static_cast<std::int32_t>(r.memory); // no request holds more tokens
    if (key_range(policy, {0, most, most, most, INT32_MAX}).fits(31)) return true;
    auto others = Lanes::zero();
    for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
        auto const some = LaneSet::below(static_cast<std::int32_t>(r.n - k));
        others = others | lanes_of(some, [&](int lane) {
                     return policy.rank_key(view_request(r, k + lane)) >> 31 != 0;
                 });
    }
    return any_bits_of(others) == 0;
}

/// make_order of order.cuh by a warp; returns where the order lies. Contract: lanes_hold_keys.
template <class P, class Words>
CRX_HD RequestId const* make_order_in_lanes(P const& policy, Requests const& r, Words& words,
                                            WarpOrder const& arrays)
{
    for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
        auto const some = LaneSet::below(static_cast<std::int32_t>(r.n - k));
        store_where(some, arrays.order + k,
                    Lanes::all(static_cast<std::int32_t>(k)) + Lanes::numbers());
    }
    if constexpr (P::random_order) shuffle_in_lanes(arrays.order, r.n, words);
    if constexpr (P::sorted)
        return sort_in_lanes(
            [&](RequestId id) {
                return static_cast<std::int32_t>(policy.rank_key(view_request(r, id)));
            },
            static_cast<std::int32_t>(r.n), arrays.order, arrays.copy);
    return arrays.order;
}

/// Whether the policy plans every request with its true length.
template <class P>
CRX_HD bool plans_with_outputs(P const& policy, Requests const& r)
{
    auto others = Lanes::zero();
    for (std::int64_t k = 0; k < r.n; k += Lanes::count) {
        auto const some = LaneSet::below(static_cast<std::int32_t>(r.n - k));
        others = others | lanes_of(some, [&](int lane) {
                     auto const view = view_request(r, k + lane);
                     return view.arrival != 0 || policy.first_length(view) != view.output;
                 });
    }
    return any_bits_of(others) == 0;
}

/// A policy that never cancels by a warp, where it only works off its order: what schedule_list
/// makes on the CPU. The integers and the words are those of RequestEngine, the number of events
/// among them. `starts`: of each request, where it is not null.
///
/// Returns false, and the outcome then means nothing, where something arrives after 0, rounds last
/// by the affine clock, the policy plans with other lengths than the true ones, 32 bits are not
/// enough (fits_list, lanes_hold_keys), or more than WarpList::most different ends are to come at a
/// time. Contract: every request fits alone (s + o <= M).
template <class P>
CRX_HD bool execute_list_in_lanes(P const& policy, Requests const& requests, std::uint64_t seed,
                                  std::uint64_t instance, Arena& arena, Rounds* starts,
                                  Outcome& outcome)
{
    static_assert(P::choice == Choice::ranked && P::cancelling == Cancelling::never);
    if (requests.clock.affine() || requests.n > INT32_MAX / 2 || requests.memory > INT32_MAX / 2 ||
        !fits_list(requests) || !plans_with_outputs(policy, requests) ||
        !lanes_hold_keys(policy, requests))
        return false;
    WarpOrder const arrays(arena, requests.n);
    WarpWords words(seed, stream_policy + static_cast<std::uint32_t>(P::kind), instance);
    auto const* const order = make_order_in_lanes(policy, requests, words, arrays);
    outcome = {};
    return WarpList().execute(requests, order, starts, outcome);
}

} // namespace
} // namespace crx
