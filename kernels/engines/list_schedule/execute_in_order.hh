#pragma once

#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"

#include <cstddef>
#include <vector>

namespace crx {

/// The prefix rule with true lengths in any given order: order[0] is served first. Contract: every
/// arrival is 0, every request fits, `order` holds each index once.
Outcome execute_in_order(Requests const& requests, std::vector<std::size_t> const& order,
                         ScheduleLog const& log = {});

} // namespace crx
