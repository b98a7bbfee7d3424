#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/sort.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/policies/traits.cuh"
#include "kernels/random/word_stream.cuh"

namespace crx {

/// A request's place in an order: key first, then `tie`, which no two share.
struct RankedRequest
{
    std::int64_t key;
    std::uint32_t tie;
    RequestId id;

    CRX_HD bool operator<(RankedRequest const& other) const
    {
        return key != other.key ? key < other.key : tie < other.tie;
    }
};

CRX_HD inline RequestView view_request(Requests const& r, std::int64_t i)
{
    return {r.arrival[i], r.prompt[i], r.output[i], r.lower[i], r.upper[i]};
}

/// Counts of keys are kept up to this many a request; a wider range of keys is sorted by comparing.
inline constexpr std::int64_t most_keys_a_request = 2;

/// Puts order[0 .. n-1] in ascending order of key(id), equal keys as they are. Scratch: n.
/// A few different keys are counted, which takes time linear in n and in their range.
template <class Key>
CRX_HD void sort_by_key(Key key, std::int64_t n, RankedRequest* scratch, RequestId* order)
{
    std::int64_t least = INT64_MAX, most = INT64_MIN, before = INT64_MIN;
    bool sorted = true;
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t const here = key(order[k]);
        sorted = sorted && before <= here;
        least = here < least ? here : least;
        most = here > most ? here : most;
        before = here;
    }
    if (sorted) return;
    auto const keys = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
    if (keys > static_cast<std::uint64_t>(most_keys_a_request * n) || keys == 0) {
        for (std::int64_t k = 0; k < n; ++k)
            scratch[k] = {key(order[k]), static_cast<std::uint32_t>(k), order[k]};
        sort_ascending(scratch, n);
        for (std::int64_t k = 0; k < n; ++k) order[k] = scratch[k].id;
        return;
    }
    // The scratch holds the counts of the keys and then a copy of the order.
    auto* const place = reinterpret_cast<std::uint32_t*>(scratch);
    auto* const copy = reinterpret_cast<RequestId*>(place + keys);
    for (std::uint64_t v = 0; v < keys; ++v) place[v] = 0;
    for (std::int64_t k = 0; k < n; ++k) {
        copy[k] = order[k];
        ++place[key(order[k]) - least];
    }
    std::uint32_t below = 0;
    for (std::uint64_t v = 0; v < keys; ++v) {
        auto const here = place[v];
        place[v] = below;
        below += here;
    }
    for (std::int64_t k = 0; k < n; ++k) order[place[key(copy[k]) - least]++] = copy[k];
}

/// Writes the policy's order of all requests to order[0 .. n-1], first is first: by rank_key, ties
/// by the policy's random permutation or by index. Uses the head of the policy's random stream.
template <class P, class Words>
CRX_HD void make_order(P const& policy, Requests const& requests, Words& words,
                       RankedRequest* scratch, RequestId* order)
{
    auto const n = requests.n;
    for (std::int64_t i = 0; i < n; ++i) order[i] = static_cast<RequestId>(i);
    if constexpr (P::random_order) shuffle(order, n, words);
    if constexpr (P::sorted)
        sort_by_key([&](RequestId id) { return policy.rank_key(view_request(requests, id)); }, n,
                    scratch, order);
}

} // namespace crx
