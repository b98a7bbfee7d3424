#pragma once

#include "analysis/worst/search/annealing.hh"

namespace crx::worst {

/// Makes what was found smaller while its value stays at least `share` times what it is: requests,
/// then M, then tokens and arrivals, as long as any one of these steps can be taken:
///
/// - a request is left out;
/// - M, all lengths together, or one length (those of all requests at once too) becomes its least,
///   a half, or one less;
/// - two requests change places where that makes the list of (arrival, prompt, output, lower,
///   upper) lexicographically less.
///
/// The result is a member of the class that none of these steps can change, and settled. Ends soon
/// after stop() says true, with what it has. Contract: 0 < share <= 1; `found` is a member.
Found shrink(InstanceClass const& of, Objective const& objective, Found const& found, double share,
             std::function<bool()> const& stop = {});

} // namespace crx::worst
