#pragma once

#include "analysis/worst/request_lists.hh"

namespace crx::worst {

/// The least TEL of any schedule without cancellation of a few requests, `known` at most: depth
/// first over rounds and the requests that start in them. A branch is left where what has started,
/// with a lower bound on the rest, comes to the least known: the k-th completion of those that wait
/// comes no sooner than the k-th least output from now, nor than the memory that is left free holds
/// the k least volumes. Microseconds for n = 4, milliseconds for some with n = 8; hindsight()
/// proves more for larger ones. Contract: `known` is the TEL of a schedule; the multiset ascends,
/// n <= 32.
std::int64_t small_optimum(std::vector<RequestKind> const& multiset, Tokens memory,
                           std::int64_t known);

} // namespace crx::worst
