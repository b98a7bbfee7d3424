#pragma once

#include "kernels/engines/list_schedule/list_schedule.hh"
#include "kernels/simd/levels.hh"

namespace crx {

/// ListSchedule in 32 bits.
CRX_FOR_EACH_LEVEL(Outcome schedule_list_narrow(Requests const& r, RequestId const* order,
                                                Rounds* starts, Arena& arena);
                   /// Outputs ascend along `order`.
                   Outcome schedule_list_ascending(Requests const& r, RequestId const* order,
                                                   Rounds* starts, Arena& arena);)

} // namespace crx
