#pragma once

#include "kernels/engines/list_schedule/warp_list.cuh"
#include "kernels/engines/requests/order.cuh"
#include "kernels/simd/warp_sort.cuh"
#include "kernels/simd/warp_words.cuh"

namespace crx {
namespace {

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
