#include "kernels/cuda/device_tally.cuh"

#include "kernels/cuda/launch_device.cuh"

#include <algorithm>
#include <bit>
#include <cub/block/block_reduce.cuh>

namespace crx {
namespace {

constexpr int sum_threads = 64;            ///< their sums fit in shared memory together
constexpr std::int64_t block_slots = 2048; ///< at least, of a cell with more
constexpr std::int64_t most_blocks = 512;  ///< a cell

/// How many bins there are at all: one more than that of the largest FixedRatio.
constexpr std::int64_t all_bins = std::int64_t{64 - histogram_mantissa_bits}
                                  << histogram_mantissa_bits;

/// A place of a table of bins: bin k is in the first free place from k modulo the size on.
struct Bin
{
    unsigned number_plus_one; ///< 0: nothing is here
    unsigned count;
};

struct BinCount
{
    std::int32_t cell;
    std::int32_t baseline;
    std::uint32_t bin, count;
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
template <class Sums>
using Reduce = cub::BlockReduce<Sums, sum_threads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>;
using ReduceOutcomes = Reduce<OutcomeSums>;
using ReduceRatios = Reduce<RatioTally>;

__device__ void count_bin(Bin* bins, std::uint32_t mask, std::uint32_t bin)
{
    for (auto at = bin & mask;; at = (at + 1) & mask) {
        auto before = *const_cast<unsigned volatile*>(&bins[at].number_plus_one);
        if (before == 0) before = atomicCAS(&bins[at].number_plus_one, 0u, bin + 1);
        if (before != 0 && before != bin + 1) continue;
        atomicAdd(&bins[at].count, 1u);
        return;
    }
}

/// A block of threads for each SumBlock. Ratios and bins: of each baseline one after the other.
__global__ void __launch_bounds__(sum_threads)
    sum_block(BatchResults results, SumBlock const* blocks, OutcomeSums* sums, RatioTally* ratios,
              Bin* bins, std::int64_t all_places)
{
    __shared__ typename ReduceOutcomes::TempStorage of_outcomes;
    __shared__ typename ReduceRatios::TempStorage of_ratios;
    auto const block = blocks[blockIdx.x];
    OutcomeSums own;
    for (std::int64_t k = threadIdx.x; k < block.count; k += sum_threads)
        own.add(results.outcome[block.slot + k]);
    own = ReduceOutcomes(of_outcomes).Reduce(own, AddSums<OutcomeSums>{});
    if (threadIdx.x == 0) sums[blockIdx.x] = own;
    for (int b = 0; b < engine_baselines; ++b) {
        auto const* const baseline = results.baseline[b];
        if (baseline == nullptr) continue;
        RatioTally ratio;
        for (std::int64_t k = threadIdx.x; k < block.count; k += sum_threads) {
            auto const& outcome = results.outcome[block.slot + k];
            auto const divisor = baseline[block.slot + k];
            if (outcome.finished == 0 || divisor <= 0) continue;
            ratio.add(outcome.total_latency, divisor, block.instance + k);
            count_bin(bins + block.bins, block.mask,
                      histogram_bin(fixed_ratio(outcome.total_latency, divisor)));
        }
        __syncthreads(); // the storage is used anew
        ratio = ReduceRatios(of_ratios).Reduce(ratio, AddSums<RatioTally>{});
        if (threadIdx.x == 0) ratios[blockIdx.x] = ratio;
        ratios += gridDim.x;
        bins += all_places;
    }
}

/// Enters bins that occur into a list; a thread a place.
struct ListBin
{
    Bin const* bins;
    std::int64_t places; ///< of a baseline
    SumBlock const* blocks;
    std::int32_t block_count;
    BinCount* list;
    unsigned long long* count;
    __device__ void operator()(std::int64_t k) const
    {
        auto const bin = bins[k];
        if (bin.number_plus_one == 0) return;
        std::int32_t low = 0, high = block_count - 1; // the last whose bins begin there or before
        while (low < high) {
            auto const middle = (low + high + 1) / 2;
            if (blocks[middle].bins <= k % places)
                low = middle;
            else
                high = middle - 1;
        }
        list[atomicAdd(count, 1ull)] = {blocks[low].cell, static_cast<std::int32_t>(k / places),
                                        bin.number_plus_one - 1, bin.count};
    }
};

struct CopyDenominator
{
    Outcome const* outcome;
    std::int64_t* denominator;
    CRX_HD void operator()(std::int64_t slot) const
    {
        denominator[slot] = denominator_of(outcome[slot]);
    }
};

} // namespace

void copy_denominators(Outcome const* outcome, std::int64_t count, std::int64_t* denominator)
{
    launch(count, CopyDenominator{outcome, denominator});
}

DeviceTally::DeviceTally(std::span<CellSlots const> cells)
{
    for (std::size_t c = 0; c < cells.size(); ++c) {
        auto const& cell = cells[c];
        auto const places =
            std::bit_ceil(2 * static_cast<std::uint64_t>(std::min(cell.count, all_bins)));
        auto const size = std::max(block_slots, (cell.count + most_blocks - 1) / most_blocks);
        for (std::int64_t done = 0; done < cell.count; done += size)
            blocks_.push_back({instances_ + done, std::min(size, cell.count - done),
                               cell.first + done, static_cast<std::int32_t>(c), bins_,
                               static_cast<std::uint32_t>(places - 1)});
        instances_ += cell.count;
        bins_ += static_cast<std::int64_t>(places);
    }
    device_blocks_ = DeviceArray<SumBlock>(blocks_);
}

std::size_t DeviceTally::bytes_of_instance(int baselines)
{
    auto const blocks = sizeof(SumBlock) + sizeof(OutcomeSums); // one where a cell has one instance
    return blocks + static_cast<std::size_t>(baselines) *
                        (sizeof(RatioTally) + 4 * sizeof(Bin) + sizeof(BinCount));
}

void DeviceTally::add(BatchResults const& results, std::span<PolicyTally* const> tallies)
{
    if (blocks_.empty()) return;
    std::vector<int> wanted;
    for (int b = 0; b < engine_baselines; ++b)
        if (results.baseline[b] != nullptr) wanted.push_back(b);
    auto const blocks = blocks_.size();
    DeviceArray<OutcomeSums> sums(blocks);
    DeviceArray<RatioTally> ratios(blocks * wanted.size());
    auto const places = bins_ * std::ssize(wanted);
    DeviceArray<Bin> bins(static_cast<std::size_t>(places));
    if (places > 0)
        CRX_CUDA_CHECK(
            cudaMemsetAsync(bins.data(), 0, static_cast<std::size_t>(places) * sizeof(Bin)));
    sum_block<<<static_cast<unsigned>(blocks), sum_threads>>>(
        results, device_blocks_.data(), sums.data(), ratios.data(), bins.data(), bins_);
    CRX_CUDA_CHECK(cudaGetLastError());
    auto const most = std::min(places, instances_ * std::ssize(wanted));
    DeviceArray<BinCount> list(static_cast<std::size_t>(most));
    DeviceArray<unsigned long long> count(1);
    CRX_CUDA_CHECK(cudaMemsetAsync(count.data(), 0, sizeof(unsigned long long)));
    launch(places, ListBin{bins.data(), bins_, device_blocks_.data(),
                           static_cast<std::int32_t>(blocks), list.data(), count.data()});

    auto const of_blocks = sums.all();
    auto const ratio_of_blocks = ratios.all();
    for (std::size_t k = 0; k < blocks; ++k) {
        auto& tally = *tallies[static_cast<std::size_t>(blocks_[k].cell)];
        tally.sums.OutcomeSums::add(of_blocks[k]);
        for (std::size_t b = 0; b < wanted.size(); ++b)
            tally.sums.ratio[wanted[b]].add(ratio_of_blocks[b * blocks + k]);
    }
    auto counted = list.first(static_cast<std::size_t>(count.all().front()));
    std::ranges::sort(counted, {}, &BinCount::bin);
    for (auto const& bin : counted)
        tallies[static_cast<std::size_t>(bin.cell)]
            ->histogram[wanted[static_cast<std::size_t>(bin.baseline)]][bin.bin] += bin.count;
}

} // namespace crx
