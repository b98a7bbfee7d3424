#pragma once

#include "kernels/engines/list_schedule/list_schedule.cuh"
#include "kernels/simd/processor.hh"

#include <cstddef>

namespace crx {

/// Bytes of arena that schedule_list takes for n requests.
std::size_t list_schedule_bytes(std::int64_t n);

/// ListSchedule on the CPU, with the narrowest integers that hold the instance and the machine's
/// vector instructions. Contract: all arrive at 0 and fit alone (s + o <= M).
Outcome schedule_list(Requests const& requests, RequestId const* order, Rounds* starts,
                      Arena& arena);

/// ListSchedule in 32 bits.
CRX_FOR_EACH_LEVEL(Outcome schedule_list_narrow(Requests const& r, RequestId const* order,
                                                Rounds* starts, Arena& arena);
                   /// Outputs ascend along `order`.
                   Outcome schedule_list_ascending(Requests const& r, RequestId const* order,
                                                   Rounds* starts, Arena& arena);)

} // namespace crx
