#pragma once

#include "analysis/baseline/schedule.hh"

#include <algorithm>

namespace crx_test {

/// After the last arrival one request after the other, by index: a poor schedule to start from.
inline crx::baseline::Starts one_by_one(crx::OwnedInstance const& instance)
{
    crx::baseline::Starts starts;
    auto clock = *std::ranges::max_element(instance.arrival);
    for (auto const output : instance.output) {
        starts.push_back(clock);
        clock += output;
    }
    return starts;
}

} // namespace crx_test
