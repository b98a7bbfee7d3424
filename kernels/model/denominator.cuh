#pragma once

#include "kernels/model/outcome.cuh"

namespace crx {

/// TEL of a schedule that others' are divided by; 0, no value, where the policy did not finish.
CRX_HD inline std::int64_t denominator_of(Outcome const& schedule)
{
    return schedule.finished != 0 ? schedule.total_latency : 0;
}

} // namespace crx
