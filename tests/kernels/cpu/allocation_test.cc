// A sweep allocates for its threads and its result, never for an instance.
#include "kernels/base/parallel.hh"
#include "kernels/engines/cell.hh"
#include "kernels/policies/policy_info.hh"

#include "support/policy_parameters.hh"
#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>
#include <new>
#include <tbb/global_control.h>

namespace {
std::atomic<std::int64_t> allocations = 0;
}

#ifndef CRX_THREAD_SANITIZER // it has them itself, and allows no others
void* operator new(std::size_t bytes)
{
    ++allocations;
    if (void* const block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
    throw std::bad_alloc();
}
// Replaced too: those of the address sanitizer would not match the delete below.
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept
{
    ++allocations;
    return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
#endif

namespace crx {
namespace {

std::int64_t allocations_for(Cell const& cell, std::int64_t instances)
{
    auto const before = allocations.load();
    launch_host(cell, {0, instances});
    return allocations.load() - before;
}

TEST(LaunchHost, AllocatesNothingForAnInstance)
{
#ifdef CRX_THREAD_SANITIZER
    GTEST_SKIP() << "the thread sanitizer allows no operator new but its own";
#endif
    // One thread: with more, how many of them take part is chance.
    tbb::global_control const one(tbb::global_control::max_allowed_parallelism, 1);
    Cell cell;
    auto& w = cell.workload;
    w.seed = 3;
    w.requests = 50;
    w.memory = 40;
    w.output_kind = OutputKind::composition;
    w.output_value = {2, 9, 20};
    w.output_count = {20, 20, 10};
    w.prompt_constant = 3;
    w.interval = {IntervalKind::common, 2, 20, 100, 0, 1};
    for (auto const& info : policy_table())
        cell.policies.push_back(crx_test::with_parameters(info));
    allocations_for(cell, 1000); // oneTBB makes its own arrangements first
    auto const few = allocations_for(cell, 1000);
    EXPECT_GT(few, 0); // the count is at work
    // A histogram of more bins grows a few times more often.
    EXPECT_LE(allocations_for(cell, 20000), few + 1000);
}

} // namespace
} // namespace crx
