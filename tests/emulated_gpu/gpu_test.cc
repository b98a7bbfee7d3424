// What the emulated GPU notices, by kernels that are wrong: nobody could rely on it otherwise.
#include "emulated_gpu/shim/cuda_runtime.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace emulated {
namespace {

class EmulatedGpu : public testing::Test
{
  protected:
    EmulatedGpu() { testing::FLAGS_gtest_death_test_style = "fast"; }
};
using EmulatedGpuDeathTest = EmulatedGpu;

void run(Config const& config, std::function<void()> const& body)
{
    OpenMemory const open;
    run_threads(config, body);
}

TEST_F(EmulatedGpu, RunsEachThreadOnceInAnyOrder)
{
    std::set<std::vector<unsigned>> orders;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        seed_order(seed);
        std::vector<unsigned> order;
        run({7, 33, 0}, [&] {
            EXPECT_EQ(blockDim.x, 33u);
            EXPECT_EQ(gridDim.x, 7u);
            order.push_back(blockIdx.x * 33 + threadIdx.x);
        });
        orders.insert(order);
        EXPECT_EQ(std::set(order.begin(), order.end()).size(), 7u * 33);
        EXPECT_EQ(order.size(), 7u * 33);
    }
    EXPECT_EQ(orders.size(), 5u);
}

// Thread k reads what k + 1 wrote: without waiting it is garbage for some.
int wrong_neighbours(bool wait)
{
    int wrong = 0;
    run({3, 64, 64 * sizeof(int)}, [&] {
        auto* const shared = static_cast<int*>(dynamic_shared());
        shared[threadIdx.x] = static_cast<int>(threadIdx.x);
        if (wait) __syncthreads();
        auto const next = (threadIdx.x + 1) % 64;
        wrong += shared[next] != static_cast<int>(next);
    });
    return wrong;
}
TEST_F(EmulatedGpu, ShowsWhoDoesNotWait)
{
    EXPECT_EQ(wrong_neighbours(true), 0);
    EXPECT_GT(wrong_neighbours(false), 10);
}

TEST_F(EmulatedGpu, WarpsMeet)
{
    run({2, 64, 0}, [] {
        auto const lane = threadIdx.x % 32;
        EXPECT_EQ(__ballot_sync(~0u, lane % 3 == 0), 0x49249249u);
        EXPECT_EQ(__shfl_sync(~0u, -5L * lane, 31), -155);
        EXPECT_EQ(__shfl_up_sync(~0u, lane, 4), lane < 4 ? lane : lane - 4);
        EXPECT_EQ(__reduce_min_sync(~0u, 7 - static_cast<int>(lane)), -24);
        EXPECT_EQ(__reduce_max_sync(~0u, static_cast<int>(lane) - 40), -9);
        EXPECT_EQ(__reduce_add_sync(~0u, lane), 496u);
        EXPECT_EQ(__reduce_or_sync(~0u, 1u << lane), ~0u);
    });
}

// Warps of several blocks take numbers from one counter.
TEST_F(EmulatedGpu, BlocksTakeTurns)
{
    std::size_t most = 0;
    for (int time = 0; time < 10; ++time) {
        int next = 0;
        std::set<unsigned> who;
        run({6, 32, 0}, [&] {
            while (atomicAdd(&next, 1) < 1000) who.insert(blockIdx.x);
        });
        most = std::max(most, who.size());
    }
    EXPECT_GE(most, 4u);
}

TEST_F(EmulatedGpu, MemoryIsGarbageAndCounted)
{
    void *one = nullptr, *other = nullptr;
    auto const before = bytes_in_use();
    ASSERT_EQ(cudaMalloc(&one, 100), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&other, 100), cudaSuccess);
    unsigned char a[100], b[100];
    ASSERT_EQ(cudaMemcpy(a, one, 100, cudaMemcpyDeviceToHost), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(b, other, 100, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_NE(std::memcmp(a, b, 100), 0);
    EXPECT_NE(std::set(a, a + 100), std::set<unsigned char>{0});
    EXPECT_GT(bytes_in_use(), before);
    cudaFree(one);
    cudaFree(other);
    EXPECT_EQ(bytes_in_use(), before);
    EXPECT_EQ(cudaMalloc(&one, gpu().bytes + 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(EmulatedGpu, CopiesGoTheWayTheySay)
{
    int* at = nullptr;
    int host[4] = {1, 2, 3, 4};
    ASSERT_EQ(cudaMalloc(&at, sizeof host), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(at, host, sizeof host, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host, at, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host, host, sizeof host, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(at + 1, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemsetAsync(host, 0, sizeof host), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemsetAsync(at + 3, 0, 2 * sizeof(int)), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemsetAsync(at + 3, 0, sizeof(int)), cudaSuccess);
    cudaGetLastError();
    cudaFree(at);
}

// As on a GPU: the call that waits for the kernel gets the error, then every call does.
TEST_F(EmulatedGpu, ATrapEndsTheKernelForGood)
{
    int ran = 0;
    auto const trap = [&] {
        if (blockIdx.x == 2 && threadIdx.x == 5) __trap();
        __syncwarp();
        ++ran;
    };
    OpenMemory const open;
    EXPECT_FALSE(run_threads({40, 64, 0}, trap));
    EXPECT_LT(ran, 40 * 64);
    ran = 0;
    EXPECT_TRUE(run_threads({2, 64, 0}, trap));
    EXPECT_EQ(ran, 2 * 64);

    int* at = nullptr;
    ASSERT_EQ(cudaMalloc(&at, 64), cudaSuccess);
    set_fault(cudaErrorLaunchFailure);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(&ran, at, sizeof ran, cudaMemcpyDeviceToHost), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaFree(at), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
    mend();
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(EmulatedGpuDeathTest, MemoryOutOfReachEndsTheProgram)
{
    int* at = nullptr;
    ASSERT_EQ(cudaMalloc(&at, 4 * sizeof(int)), cudaSuccess);
    auto const touch = [&](int k) { run({1, 1, 0}, [=] { at[k] = 1; }); };
    touch(3);
    EXPECT_DEATH(touch(4), "a kernel touches memory of the GPU that is not there: 16 bytes into an "
                           "allocation of 16, block 0, thread 0");
    EXPECT_DEATH(touch(-2000), "a kernel touches memory of the GPU that is not there");
    EXPECT_DEATH(at[0] = 1, "the host touches memory of the GPU: 0 bytes into an allocation of 16");
    cudaFree(at);
    EXPECT_DEATH(touch(0), "a kernel touches memory of the GPU that is not there");
    EXPECT_DEATH(cudaFree(at), "what is freed was not allocated");
    EXPECT_DEATH(run({1, 1, 64}, [] { static_cast<char*>(dynamic_shared())[64] = 1; }),
                 "memory that is not there");
}

TEST_F(EmulatedGpuDeathTest, ThreadsThatPartWaysEndTheProgram)
{
    EXPECT_DEATH(
        run({1, 32, 0}, [] { threadIdx.x < 16 ? __syncwarp() : (void)__ballot_sync(~0u, true); }),
        "threads of a warp wait at __(syncwarp|ballot_sync) and at __");
    EXPECT_DEATH(run({1, 32, 0},
                     [] {
                         if (threadIdx.x != 7) __syncwarp();
                     }),
                 "others wait");
    EXPECT_DEATH(run({1, 64, 0},
                     [] {
                         if (threadIdx.x != 7) __syncthreads();
                     }),
                 "others wait");
    EXPECT_DEATH(run({1, 64, 0}, [] { threadIdx.x < 32 ? __syncwarp() : __syncthreads(); }),
                 "others wait");
    EXPECT_DEATH(run({1, 32, 0}, [] { __syncwarp(0xffff); }), "a part of a warp");
    EXPECT_DEATH(__syncwarp(), "the host calls what only kernels may");
}

TEST_F(EmulatedGpuDeathTest, KernelsGetNoAddressOfTheHost)
{
    struct Given
    {
        long number;
        void const* at;
    };
    enter_kernel("takes a pointer", {[](void const* const*) {}, {sizeof(Given)}});
    auto const launch_with = [](void const* at) {
        Given const given{5, at};
        launch_kernel("takes a pointer", config(1, 32), {{&given, sizeof given}});
    };
    std::vector<int> const host(10);
    void* at = nullptr;
    ASSERT_EQ(cudaMalloc(&at, 64), cudaSuccess);
    launch_with(at);
    launch_with(nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_DEATH(launch_with(host.data()), "an address of the host: argument 0, byte 8");
    EXPECT_DEATH(launch_with(&host), "an address of the host: argument 0, byte 8");
    int const other = 1;
    EXPECT_DEATH(launch_kernel("takes a pointer", config(1, 1), {{&other, sizeof other}}),
                 "another size on the GPU");
    EXPECT_DEATH(launch_kernel("nobody", config(1, 1), {}), "no kernel is called nobody");
    cudaFree(at);
}

TEST_F(EmulatedGpu, RefusesLaunchesThatAGpuWould)
{
    enter_kernel("does nothing", {[](void const* const*) {}, {}});
    auto const error_of = [](Config const& config) {
        launch_kernel("does nothing", config, {});
        return cudaGetLastError();
    };
    EXPECT_EQ(error_of(config(1, 1024, 48 * 1024)), cudaSuccess);
    EXPECT_EQ(error_of(config(0, 32)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(error_of(config(1, 0)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(error_of(config(1, 1025)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(error_of(config(1, 32, 48 * 1024 + 1)), cudaErrorInvalidConfiguration);
}

} // namespace
} // namespace emulated
