#pragma once

#include "cuda_runtime.h"

#include <numeric>

namespace cub {

enum BlockReduceAlgorithm
{
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};

/// In the first thread what all threads have given, put together in some order; garbage in others.
template <class T, int threads, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS>
class BlockReduce
{
  public:
    struct TempStorage
    {
        alignas(T) unsigned char bytes[threads][sizeof(T)];
    };
    explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

    template <class Join>
    T Reduce(T const& own, Join join)
    {
        if (blockDim.x != threads) emulated::fail("BlockReduce for another number of threads");
        std::memcpy(storage_.bytes[threadIdx.x], &own, sizeof(T));
        __syncthreads();
        auto all = own;
        if (threadIdx.x != 0) {
            emulated::fill_with_garbage(&all, sizeof all);
            return all;
        }
        int const turn = algorithm == BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY
                             ? static_cast<int>(emulated::any_word() % threads)
                             : 0;
        for (int k = 0; k < threads; ++k) {
            T other;
            std::memcpy(&other, storage_.bytes[(k + turn) % threads], sizeof(T));
            all = k == 0 ? other : join(all, other);
        }
        return all;
    }

  private:
    TempStorage& storage_;
};

} // namespace cub
