#include "host/memory_reserve.hh"

#include <gtest/gtest.h>
#include <new>

namespace crx {
namespace {

// The handler is what `new` calls where it finds no memory: it returns, and `new` tries again, once
// for each time that the reserve is put aside.
TEST(MemoryReserve, IsSpentOnceUntilItIsRefilled)
{
    auto const before = std::get_new_handler();
    hold_memory_reserve();
    auto const handler = std::get_new_handler();
    ASSERT_NE(handler, nullptr);
    EXPECT_NO_THROW(handler());
    EXPECT_THROW(handler(), std::bad_alloc);
    refill_memory_reserve();
    refill_memory_reserve(); // there is one reserve alone
    EXPECT_NO_THROW(handler());
    EXPECT_THROW(handler(), std::bad_alloc);
    std::set_new_handler(before);
}

} // namespace
} // namespace crx
