#include "kernels/cuda/device_batch.cuh"

#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

/// Three cells with 4, 1 and 3 instances, of 5 requests and three lengths.
class DeviceBatch : public testing::Test
{
  protected:
    DeviceBatch()
    {
        std::int64_t slot = 0;
        for (std::int64_t const count : {4, 1, 3}) {
            BatchCell cell;
            cell.workload.requests = 5;
            cell.workload.memory = 100 + slot;
            cell.workload.output_value = lengths;
            cell.slot = slot;
            cell.first = 1000 * (slot + 1);
            cells.push_back(cell);
            slot += count;
        }
        batch.cells = cells.data();
        batch.cell_count = 3;
        batch.count = slot;
        batch.most_requests = 5;
        batch.classes = 3;
        batch.request_bytes = request_bytes(5);
        requests.resize(8 * batch.request_bytes);
        counts.resize(8 * lengths.size());
        batch.requests = requests.data();
        batch.counts = counts.data();
        batch.engine_room = 3 * 48 + 47;
    }

    std::vector<std::int32_t> const lengths{3, 9, 27};
    std::vector<BatchCell> cells;
    std::vector<char> requests;
    std::vector<std::int64_t> counts;
    GpuBatch batch;
};

TEST_F(DeviceBatch, EverySlotIsAnInstanceOfItsCell)
{
    std::vector<std::uint64_t> instances;
    std::vector<Tokens> memories;
    for (std::int64_t slot = 0; slot < batch.count; ++slot) {
        auto const& cell = batch.cell_of(slot);
        instances.push_back(cell.instance(slot));
        memories.push_back(batch.requests_of(cell, slot).memory);
        EXPECT_EQ(batch.counts_of(cell, slot), counts.data() + 3 * slot);
    }
    EXPECT_EQ(instances,
              (std::vector<std::uint64_t>{1000, 1001, 1002, 1003, 5000, 6000, 6001, 6002}));
    EXPECT_EQ(memories, (std::vector<Tokens>{100, 100, 100, 100, 104, 105, 105, 105}));
}

// The instances of a part keep their slots and requests; engines have arrays of their own.
TEST_F(DeviceBatch, PartsAreTheBatch)
{
    std::int64_t next = 0;
    std::vector<std::int64_t> sizes;
    run_with_engines<std::vector<char>>(batch, 48, [&](GpuBatch const& part) {
        sizes.push_back(part.count);
        for (std::int64_t k = 0; k < part.count; ++k, ++next) {
            EXPECT_EQ(part.slot_of(k), next);
            auto const& cell = part.cell_of(next);
            EXPECT_EQ(part.requests_of(cell, k).output, batch.requests_of(cell, next).output);
            EXPECT_EQ(part.block(k), part.engines + 48 * k);
        }
    });
    EXPECT_EQ(next, batch.count);
    EXPECT_EQ(sizes, (std::vector<std::int64_t>{3, 3, 2}));
}

// Of a list the k-th instance has the k-th requests, whatever its slot.
TEST_F(DeviceBatch, AListNamesSlots)
{
    std::vector<std::int32_t> const slots{7, 0, 4, 5, 2};
    batch.list = slots.data();
    batch.count = 5;
    std::vector<std::int64_t> seen;
    run_with_engines<std::vector<char>>(batch, 48, [&](GpuBatch const& part) {
        for (std::int64_t k = 0; k < part.count; ++k) {
            seen.push_back(part.slot_of(k));
            auto const& cell = part.cell_of(part.slot_of(k));
            auto const at = static_cast<std::size_t>(std::ssize(seen) - 1) * batch.request_bytes;
            EXPECT_EQ(part.requests_of(cell, k).arrival, static_cast<void*>(requests.data() + at));
        }
    });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{7, 0, 4, 5, 2}));
}

} // namespace
} // namespace crx
