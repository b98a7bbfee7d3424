#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "oracle/oracle.hh"

namespace oracle {

/// The instances of a certificate: exactly n requests and memory M (docs/witnesses.md).
struct InstanceRange
{
    std::int64_t requests = 1, memory = 1, last_arrival = 0;
    std::string restriction = "any"; ///< any, equal-prompts, small or identical
    std::string told = "outputs";    ///< outputs, intervals or common
    std::int64_t alpha_numerator = 1, alpha_denominator = 1; ///< l / u of common
};

/// The requests of one instance, in no order.
using Multiset = std::vector<Request>;

/// Requests that may stand beside each other, in ascending order of (arrival, prompt, output,
/// lower, upper): all of one instance come from one of these lists.
std::vector<std::vector<Request>> request_lists(InstanceRange const& range);

/// Calls visit(rank, multiset) for every multiset of n requests of one list, in lexicographic
/// order. `visit` is called for those of which somebody arrives at 0.
void for_each_multiset(std::vector<std::vector<Request>> const& lists, std::int64_t requests,
                       std::function<void(std::int64_t, Multiset const&)> const& visit);

/// How many there are, those without an arrival at 0 too.
std::int64_t count_multisets(std::vector<std::vector<Request>> const& lists, std::int64_t requests);

/// Calls visit for the different orders of a multiset, of those that are one another but for
/// exchanges of neighbours whose order does not matter the lexicographically least alone.
void for_each_order(Multiset const& multiset,
                    std::function<bool(Request const&, Request const&)> const& matters,
                    std::function<void(std::vector<Request> const&)> const& visit);

/// Whether the place in the list decides between these two under a policy: where it breaks ties by
/// place and they tie. Policies that draw do not look at places.
bool place_matters(std::string const& policy, Request const& a, Request const& b);

} // namespace oracle
