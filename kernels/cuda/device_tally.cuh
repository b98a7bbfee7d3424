#pragma once

#include "kernels/cuda/device_array.cuh"
#include "kernels/model/tally.cuh"

#include <span>
#include <vector>

namespace crx {

/// Instances of one cell that a block of threads adds up.
struct SumBlock
{
    std::int64_t slot = 0, count = 0; ///< the first one's slot
    std::int64_t instance = 0;        ///< its number
    std::int32_t cell = 0;
    std::int64_t bins = 0;  ///< where the cell's bins begin, of one baseline
    std::uint32_t mask = 0; ///< their number less one, a power of two less one
};

/// Where the results of a batch lie, and what its instances are divided by.
struct BatchResults
{
    Outcome const* outcome = nullptr;
    std::int64_t const* baseline[engine_baselines] = {}; ///< null: not asked for
};

/// denominator[slot]: denominator_of the outcome.
void copy_denominators(Outcome const* outcome, std::int64_t count, std::int64_t* denominator);

/// Adds up a batch's outcomes on the device, cell by cell: what comes back are the sums of each
/// block and the bins that occur. Integers throughout, so any cut is as good.
class DeviceTally
{
  public:
    /// `cells`: how many instances of each there are, in the order of their slots, and the number
    /// of the first.
    struct CellSlots
    {
        std::int64_t first, count;
    };
    explicit DeviceTally(std::span<CellSlots const> cells);

    /// Bytes of device memory that an instance may need at most.
    static std::size_t bytes_of_instance(int baselines);

    /// Adds the sums of each cell to *tallies[cell]. Waits.
    void add(BatchResults const& results, std::span<PolicyTally* const> tallies);

  private:
    std::vector<SumBlock> blocks_;
    std::int64_t bins_ = 0; ///< of one baseline
    std::int64_t instances_ = 0;
    DeviceArray<SumBlock> device_blocks_;
};

} // namespace crx
