#pragma once

#include "kernels/base/parallel.hh"

#include <memory>

namespace crx_test {

/// The thread sanitizer's record of a stack that a fiber runs on. It follows calls and returns, so
/// it has to know before each change to another stack. Nothing in other builds.
class SanitizerStack
{
  public:
#ifdef CRX_THREAD_SANITIZER
    SanitizerStack() : SanitizerStack({__tsan_create_fiber(0), __tsan_destroy_fiber}) {}
    /// Of the stack in use.
    static SanitizerStack current()
    {
        return SanitizerStack({__tsan_get_current_fiber(), [](void*) {}});
    }
    /// Inlined, as its own return would be looked for on the other stack.
    [[gnu::always_inline]] void change_to() const { __tsan_switch_to_fiber(at_, 0); }

  private:
    explicit SanitizerStack(std::shared_ptr<void> record)
        : record_(std::move(record)), at_(record_.get())
    {
    }
    std::shared_ptr<void> record_;
    void* at_;
#else
    static SanitizerStack current() { return {}; }
    void change_to() const {}
#endif
};

} // namespace crx_test
