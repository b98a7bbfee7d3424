#include "kernels/cuda/device_batch.cuh"

#include <gtest/gtest.h>
#include <vector>

namespace crx {
namespace {

// A part's slots are the batch's own, wherever its arrays lie; engines share theirs.
TEST(DeviceBatch, PartsHaveTheirSlots)
{
    std::vector<std::int32_t> const lengths{3, 9, 27};
    Batch batch;
    batch.workload.requests = 5;
    batch.workload.memory = 100;
    batch.workload.output_value = lengths;
    batch.first = 1000;
    batch.count = 8;
    batch.request_bytes = request_bytes(5);
    batch.engine_bytes = 48;
    std::vector<std::max_align_t> requests(batch.request_bytes), engines(8 * 48);
    std::vector<std::int64_t> counts(8 * lengths.size());
    batch.requests = reinterpret_cast<char*>(requests.data());
    batch.engines = reinterpret_cast<char*>(engines.data());
    batch.counts = counts.data();

    auto const part = batch.part(3, 4);
    EXPECT_EQ(part.first, 1003);
    EXPECT_EQ(part.count, 4);
    for (std::int64_t slot = 0; slot < part.count; ++slot) {
        EXPECT_EQ(part.requests_of(slot).output, batch.requests_of(slot + 3).output);
        EXPECT_EQ(part.requests_of(slot).upper, batch.requests_of(slot + 3).upper);
        EXPECT_EQ(part.engine_of(slot), batch.engine_of(slot));
        EXPECT_EQ(part.counts_of(slot), batch.counts_of(slot + 3));
    }
    batch.counts = nullptr;
    EXPECT_EQ(batch.part(3, 4).counts, nullptr);
}

} // namespace
} // namespace crx
