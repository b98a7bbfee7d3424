#pragma once

#include "kernels/backends/cpu/single.hh"
#include "kernels/search/order_search.hh"

#include <functional>
#include <string>

namespace crx::search {

/// Why search_run refuses an instance, empty if it does not: no request or more than
/// most_requests, one that does not fit alone, M or the sum of outputs plus the last arrival of
/// 2^24 or more, a clock that does not count rounds.
std::string search_refusal(OwnedInstance const& instance);

/// Run number `run` of OrderSearch, on this thread; the run draws words of its own. It ends soon
/// after stop() says true, with the best schedule till then: MC-SF's at least, where all arrive at
/// 0. A schedule counts only after the request engine has started each request in the same round.
/// Throws std::invalid_argument with search_refusal.
FoundStarts search_run(OwnedInstance const& instance, Effort const& effort, int run,
                       std::function<bool()> const& stop);

} // namespace crx::search
