#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <utility>

#if defined(__SANITIZE_THREAD__)
#define CRX_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CRX_THREAD_SANITIZER 1
#endif
#endif
#ifdef CRX_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace crx {

/// Tells the thread sanitizer what oneTBB promises and it cannot see, as the library is not
/// compiled with it: a piece of a loop sees what was written before the loop, and what the pieces
/// wrote is there after it. Nothing in other builds.
class TaskOrder
{
  public:
    TaskOrder() = default;
    TaskOrder(TaskOrder const&) = delete;
    TaskOrder& operator=(TaskOrder const&) = delete;

    /// Before a loop, when all that its pieces read is made, the loop's body too.
    static void begin() { release(&begun_); }
    /// First of all in a piece: what leads to the loop's own order is read only afterwards.
    static void enter() { acquire(&begun_); }
    void leave() const { release(&done_); } ///< last in a piece
    void end() const { acquire(&done_); }   ///< after the loop

  private:
    static void acquire([[maybe_unused]] char const* at)
    {
#ifdef CRX_THREAD_SANITIZER
        __tsan_acquire(const_cast<char*>(at));
#endif
    }
    static void release([[maybe_unused]] char const* at)
    {
#ifdef CRX_THREAD_SANITIZER
        __tsan_release(const_cast<char*>(at));
#endif
    }

    // Their addresses alone are used.
    static inline char const begun_ = 0;
    char done_ = 0;
};

/// tbb::parallel_for over first .. last - 1.
template <class Index, class Body, class... Partitioner>
void parallel_for(Index first, Index last, Body const& body, Partitioner const&... partitioner)
{
    TaskOrder const order;
    auto const piece = [&](Index i) {
        TaskOrder::enter();
        body(i);
        order.leave();
    };
    TaskOrder::begin();
    tbb::parallel_for(first, last, piece, partitioner...);
    order.end();
}

/// tbb::parallel_for over the pieces of a range.
template <class Value, class Body>
void parallel_for(tbb::blocked_range<Value> const& range, Body const& body)
{
    TaskOrder const order;
    auto const piece = [&](tbb::blocked_range<Value> const& part) {
        TaskOrder::enter();
        body(part);
        order.leave();
    };
    TaskOrder::begin();
    tbb::parallel_for(range, piece);
    order.end();
}

/// tbb::parallel_deterministic_reduce: the range is cut alike whatever the number of threads, so
/// that sums of doubles do not depend on it.
template <class Index, class Value, class Body, class Join>
Value parallel_deterministic_reduce(tbb::blocked_range<Index> const& range, Value const& none,
                                    Body const& body, Join const& join)
{
    TaskOrder const order;
    auto const piece = [&](tbb::blocked_range<Index> const& part, Value value) {
        TaskOrder::enter();
        value = body(part, std::move(value));
        order.leave();
        return value;
    };
    auto const join_two = [&](Value left, Value const& right) {
        order.end(); // the pieces of both sides are done
        left = join(std::move(left), right);
        order.leave();
        return left;
    };
    TaskOrder::begin();
    auto all = tbb::parallel_deterministic_reduce(range, none, piece, join_two);
    order.end();
    return all;
}

} // namespace crx
