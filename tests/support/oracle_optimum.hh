#pragma once

#include "analysis/baseline/schedule.hh"
#include "oracle/optimum.hh"
#include "support/one_by_one.hh"

#include <gtest/gtest.h>

namespace crx_test {

/// The least TEL by the oracle's search, which has no bound but lengths and volume.
inline crx::Rounds oracle_optimum(crx::OwnedInstance const& instance)
{
    std::vector<oracle::Request> requests;
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        oracle::Request r;
        r.arrival = instance.arrival[i];
        r.prompt = instance.prompt[i];
        r.output = instance.output[i];
        requests.push_back(r);
    }
    auto const upper = crx::baseline::total_latency(instance, one_by_one(instance));
    auto const found = oracle::exhaust(requests, instance.memory, upper + 1, 100'000'000);
    EXPECT_TRUE(found.finished && found.below.has_value());
    return found.below.value_or(-1);
}

} // namespace crx_test
