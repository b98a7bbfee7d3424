#pragma once

#include "host/evidence/certificate/start_costs.hh"

namespace crx::certificate {

/// A lower bound on OPT by the file's second prices (docs/witnesses.md), rounded up, from 0 to
/// certified.upper: the sum of the request prices, the constant, and the least sum of a start's
/// cost less its request's price along a path. Starts that no schedule with TEL < upper can use, by
/// the `first` prices, are on no path. Plain loops, no code of the bound that they check.
///
/// A path remembers of its active requests the two that end last: s + o and the rounds left. In
/// each round it may start each request once, in the order of o, s and arrival, if memory holds it
/// beside those two, and if it is sure not to be one of them. Each schedule's starts are a path. A
/// start past the last price costs its own end at least.
///
/// Throws std::invalid_argument where there are more than 2 million states.
std::int64_t pair_bound(Certified const& certified, StartCosts const& first);

} // namespace crx::certificate
