#pragma once

#include "kernels/cuda/device_array.cuh"
#include "kernels/model/tally.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <limits>
#include <vector>

namespace crx {

/// Where the results of a batch lie.
struct BatchResults
{
    Outcome const* outcome;
    std::int64_t const* baseline[baseline_kinds]; ///< null where it was not asked for
    std::int64_t first, count;
};

/// What a thread adds up of its instances; one kind a kernel, so that it stays in registers.
struct SumOutcomes
{
    using Sums = OutcomeSums;
    BatchResults results;
    CRX_HD void add(std::int64_t k, Sums& sums) const { sums.add(results.outcome[k]); }
};
struct SumRatios
{
    using Sums = RatioTally;
    BatchResults results;
    std::int64_t const* baseline;
    CRX_HD void add(std::int64_t k, Sums& sums) const
    {
        auto const& outcome = results.outcome[k];
        if (outcome.finished != 0 && baseline[k] > 0)
            sums.add(outcome.total_latency, baseline[k], results.first + k);
    }
};

template <class Sums>
struct AddSums
{
    CRX_HD Sums operator()(Sums a, Sums const& b) const
    {
        a.add(b);
        return a;
    }
};

inline constexpr int sum_threads = 64; ///< their sums fit in shared memory together
inline constexpr int sum_blocks = 512;

/// partial[block]: the sums over that block's instances. All sums commute, so any cut is as good.
template <class Sum>
static __global__ void __launch_bounds__(sum_threads)
    sum_batch(Sum sum, std::int64_t count, typename Sum::Sums* partial)
{
    using Sums = typename Sum::Sums;
    using Reduce = cub::BlockReduce<Sums, sum_threads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>;
    __shared__ typename Reduce::TempStorage storage;
    Sums sums;
    auto const stride = std::int64_t{gridDim.x} * blockDim.x;
    for (auto k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count; k += stride)
        sum.add(k, sums);
    sums = Reduce(storage).Reduce(sums, AddSums<Sums>{});
    if (threadIdx.x == 0) partial[blockIdx.x] = sums;
}

template <class Sum>
typename Sum::Sums sum_of(Sum const& sum, std::int64_t count)
{
    using Sums = typename Sum::Sums;
    auto const blocks = std::min<std::int64_t>((count + sum_threads - 1) / sum_threads, sum_blocks);
    DeviceArray<Sums> partial(static_cast<std::size_t>(blocks));
    sum_batch<<<static_cast<unsigned>(blocks), sum_threads>>>(sum, count, partial.data());
    CRX_CUDA_CHECK(cudaGetLastError());
    Sums total;
    for (auto const& part : partial.all()) total.add(part);
    return total;
}

inline PolicySums sum_up(BatchResults const& results)
{
    PolicySums sums;
    sums.OutcomeSums::add(sum_of(SumOutcomes{results}, results.count));
    for (int b = 0; b < baseline_kinds; ++b)
        if (results.baseline[b] != nullptr)
            sums.ratio[b] = sum_of(SumRatios{results, results.baseline[b]}, results.count);
    return sums;
}

inline constexpr std::uint32_t no_bin = 0xffffffffu;

struct BinSlot
{
    Outcome const* outcome;
    std::int64_t const* baseline;
    std::uint32_t* bin;
    CRX_HD void operator()(std::int64_t slot) const
    {
        bin[slot] = outcome[slot].finished != 0 && baseline[slot] > 0
                        ? histogram_bin(fixed_ratio(outcome[slot].total_latency, baseline[slot]))
                        : no_bin;
    }
};

/// call(scratch, bytes), as CUB's calls are: asked for the bytes first, then with so many.
template <class Call>
void with_scratch(Call call)
{
    std::size_t bytes = 0;
    CRX_CUDA_CHECK(call(nullptr, bytes));
    DeviceArray<char> scratch(bytes);
    CRX_CUDA_CHECK(call(scratch.data(), bytes));
}

/// Counts equal bins on the device; only the bins that occur come back.
inline void add_histogram(DeviceArray<std::uint32_t> const& bins, Histogram& histogram)
{
    CRX_EXPECT(bins.size() <= std::numeric_limits<int>::max());
    auto const size = static_cast<int>(bins.size());
    DeviceArray<std::uint32_t> sorted(bins.size()), key(bins.size());
    DeviceArray<int> count(bins.size()), different(1);
    with_scratch([&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, bins.data(), sorted.data(), size);
    });
    with_scratch([&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRunLengthEncode::Encode(scratch, bytes, sorted.data(), key.data(),
                                                  count.data(), different.data(), size);
    });
    auto const occur = static_cast<std::size_t>(different.all().front());
    auto const keys = key.first(occur);
    auto const counts = count.first(occur);
    for (std::size_t k = 0; k < occur; ++k)
        if (keys[k] != no_bin) histogram[keys[k]] += counts[k];
}

} // namespace crx
