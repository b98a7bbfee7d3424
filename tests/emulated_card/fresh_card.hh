#pragma once

#include "emulated_card/memory.hh"
#include "emulated_card/threads.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx_test {

/// A card as it is at first for each test, an order of threads by the tests' seed, and nothing left
/// in its memory at the end.
class FreshCard : public testing::Test
{
  protected:
    FreshCard()
    {
        emulated::card() = {};
        emulated::seed_order(test_seed());
    }
    ~FreshCard() override
    {
        EXPECT_EQ(emulated::bytes_in_use(), 0u);
        emulated::card() = {};
    }
};

} // namespace crx_test
