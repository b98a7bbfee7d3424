#pragma once

#include "kernels/cpu/single.hh"

#include <gtest/gtest.h>

namespace crx_test {

/// All that is known of two runs is the same; the latency first, as it says most.
inline void expect_equal(crx::SingleRun const& run, crx::SingleRun const& engine)
{
    EXPECT_EQ(run.outcome.total_latency, engine.outcome.total_latency);
    EXPECT_EQ(run.outcome, engine.outcome);
    EXPECT_EQ(run.start, engine.start);
    EXPECT_EQ(run.completion, engine.completion);
    EXPECT_EQ(run.cancellations, engine.cancellations);
}

} // namespace crx_test
