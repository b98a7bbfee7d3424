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

/// Writes the policy's order of all requests to order[0 .. n-1], first is first: by rank_key, ties
/// by the policy's random permutation or by index. Uses the head of the policy's random stream.
template <class P>
CRX_HD void make_order(P const& policy, Requests const& requests, WordStream& words,
                       RankedRequest* scratch, RequestId* order)
{
    auto const n = requests.n;
    for (std::int64_t i = 0; i < n; ++i) order[i] = static_cast<RequestId>(i);
    if constexpr (P::random_order) shuffle(order, n, words);
    if constexpr (P::sorted) {
        for (std::int64_t k = 0; k < n; ++k) {
            auto const id = order[k];
            scratch[k] = {policy.rank_key(view_request(requests, id)),
                          static_cast<std::uint32_t>(k), id};
        }
        sort_ascending(scratch, n);
        for (std::int64_t k = 0; k < n; ++k) order[k] = scratch[k].id;
    }
}

} // namespace crx
