#pragma once

#include "emulated_card/memory.hh"
#include "emulated_card/shim/cuda_runtime.h"
#include "emulated_card/threads.hh"
#include "kernels/cuda/current_device.cuh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx_test {

/// A GPU as it is at first for each test, an order of threads by the tests' seed, and nothing left
/// in its memory at the end.
class FreshCard : public testing::Test
{
  protected:
    FreshCard()
    {
        renew();
        emulated::seed_order(test_seed());
    }
    ~FreshCard() override
    {
        EXPECT_EQ(emulated::bytes_in_use(), 0u);
        renew();
    }
    /// Another GPU, as a process sees it that starts.
    static void renew(emulated::Card const& card = {})
    {
        emulated::card() = card;
        emulated::mend();
        crx::forget_cards();
    }
    /// The GPU, with an empty pool, which is asked for its properties again.
    static emulated::Card& changed_card()
    {
        emulated::mend();
        crx::forget_cards();
        return emulated::card();
    }
};

} // namespace crx_test
