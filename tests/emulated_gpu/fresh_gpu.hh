#pragma once

#include "emulated_gpu/memory.hh"
#include "emulated_gpu/shim/cuda_runtime.h"
#include "emulated_gpu/threads.hh"
#include "kernels/cuda/current_device.cuh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx_test {

/// A GPU as it is at first for each test, an order of threads by the tests' seed, and nothing left
/// in its memory at the end.
class FreshGpu : public testing::Test
{
  protected:
    FreshGpu()
    {
        renew();
        emulated::seed_order(test_seed());
    }
    ~FreshGpu() override
    {
        EXPECT_EQ(emulated::bytes_in_use(), 0u);
        renew();
    }
    /// Another GPU, as a process sees it that starts.
    static void renew(emulated::Gpu const& gpu = {})
    {
        emulated::gpu() = gpu;
        emulated::mend();
        crx::forget_devices();
    }
    /// The GPU, with an empty pool, which is asked for its properties again.
    static emulated::Gpu& changed_gpu()
    {
        emulated::mend();
        crx::forget_devices();
        return emulated::gpu();
    }
};

} // namespace crx_test
