#pragma once

#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"

#include <optional>

namespace crx {

/// Sum of outputs and memory up to which schedule_short_list takes an instance: the product, which
/// bounds every number on the way, is far from what 32 bits hold.
inline constexpr Rounds short_list_rounds = 8192;
inline constexpr Tokens short_list_memory = 65536;

/// ListSchedule with outputs in ascending order, for instances of few rounds in which the requests
/// that run have at most eight different ends at any time: the ends lie in vector registers, and
/// nothing is decided by a branch that the data could make hard to foresee. Nothing if the ends do
/// not fit, if the instance is past the limits above or the processor has no such registers.
///
/// Contract: all arrive at 0 and fit alone; outputs ascend along `order`.
std::optional<Outcome> schedule_short_list(Requests const& requests, RequestId const* order,
                                           Rounds* starts);

} // namespace crx
