#pragma once

#include "support/sanitizer_stack.hh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <ucontext.h>
#include <vector>

// A warp whose threads run one at a time and in any order between the points where they wait for
// each other, as a GPU may run them: what one reads before it waits for another that writes it
// comes out wrong here sooner or later, and threads that do not come to the same point end the
// program. Included before warp_lanes.cuh, which then is what it is on a GPU.
#define CRX_TEST_LANES_ARE_THREADS 1

namespace crx_test {
struct ThreadIndex
{
    unsigned x = 0;
};
} // namespace crx_test
/// The running thread, as on a GPU; one for all files, as the warp is.
inline crx_test::ThreadIndex threadIdx;

namespace crx_test {

class FiberWarp
{
  public:
    static constexpr int lanes = 32;
    using Values = std::array<std::uint32_t, lanes>;

    /// Runs body in every thread until all have returned.
    void run(std::uint64_t seed, std::function<void()> body)
    {
        rng_.seed(seed);
        body_ = std::move(body);
        phase_.fill(0);
        for (std::size_t k = 0; k < lanes; ++k) {
            stack_[k].resize(stack_bytes);
            place_[k] = {};
            auto& context = place_[k].context;
            getcontext(&context);
            context.uc_stack.ss_sp = stack_[k].data();
            context.uc_stack.ss_size = stack_bytes;
            context.uc_link = nullptr;
            makecontext(&context, &FiberWarp::begin, 0);
        }
        home_.record = SanitizerStack::current();
        all_may_run();
        auto& first = next();
        first.record.change_to();
        swapcontext(&home_.context, &first.context);
    }

    /// What all threads gave at this point. `point` names it: all must be at the same.
    Values const& exchange(char const* point, std::uint32_t value)
    {
        auto const lane = threadIdx.x;
        auto const phase = phase_[lane]++ % 2; // the first to go on may be at the next point
        values_[phase][lane] = value;
        points_[lane] = point;
        if (++waiting_ == lanes) {
            for (auto const* other : points_)
                if (other != point) end("threads wait at different points");
            all_may_run();
        }
        auto& to = next();
        if (&to == &place_[lane]) return values_[phase];
        to.record.change_to();
        swapcontext(&place_[lane].context, &to.context);
        return values_[phase];
    }

  private:
    static constexpr std::size_t stack_bytes = 1 << 18;

    struct Place
    {
        ucontext_t context{};
        SanitizerStack record;
    };

    [[noreturn]] static void end(char const* why)
    {
        std::cerr << "a warp's threads part ways: " << why << '\n';
        std::abort();
    }
    void all_may_run()
    {
        waiting_ = 0;
        left_ = lanes;
        for (int k = 0; k < lanes; ++k) runnable_[static_cast<std::size_t>(k)] = k;
    }
    /// Any thread that does not wait; the caller of run() if all have returned.
    Place& next()
    {
        if (left_ == 0) {
            if (waiting_ > 0) end("some have returned, others wait");
            return home_;
        }
        auto const at = static_cast<std::size_t>(rng_() % static_cast<unsigned>(left_));
        auto const lane = static_cast<std::size_t>(runnable_[at]);
        runnable_[at] = runnable_[static_cast<std::size_t>(--left_)];
        threadIdx.x = static_cast<unsigned>(lane);
        return place_[lane];
    }
    static void begin();

    std::mt19937_64 rng_;
    std::function<void()> body_;
    std::array<int, lanes> runnable_{}; ///< the first left_ of them
    int left_ = 0, waiting_ = 0;
    std::array<unsigned, lanes> phase_{};
    std::array<char const*, lanes> points_{};
    std::array<Values, 2> values_{};
    std::array<std::vector<char>, lanes> stack_;
    std::array<Place, lanes> place_{};
    Place home_;
};

/// The warp that the functions below speak to.
inline FiberWarp& fiber_warp()
{
    static FiberWarp warp;
    return warp;
}

inline void FiberWarp::begin()
{
    auto& warp = fiber_warp();
    warp.body_();
    auto& to = warp.next();
    to.record.change_to();
    setcontext(&to.context);
}

} // namespace crx_test

// The functions of a GPU that warp_lanes.cuh calls, for full warps.
static inline void __syncwarp() { crx_test::fiber_warp().exchange("syncwarp", 0); }
static inline unsigned __ballot_sync(unsigned, bool set)
{
    unsigned bits = 0;
    auto const& all = crx_test::fiber_warp().exchange("ballot", set);
    for (unsigned k = 0; k < all.size(); ++k) bits |= all[k] << k;
    return bits;
}
static inline int __shfl_sync(unsigned, int value, int from)
{
    auto const& all = crx_test::fiber_warp().exchange("shfl", static_cast<unsigned>(value));
    return static_cast<int>(all[static_cast<unsigned>(from) % 32]);
}
static inline int __shfl_up_sync(unsigned, int value, int step)
{
    auto const& all = crx_test::fiber_warp().exchange("shfl_up", static_cast<unsigned>(value));
    auto const lane = static_cast<int>(threadIdx.x);
    return static_cast<int>(all[static_cast<unsigned>(lane < step ? lane : lane - step)]);
}
static inline int __reduce_min_sync(unsigned, int value)
{
    auto const& all = crx_test::fiber_warp().exchange("min", static_cast<unsigned>(value));
    int least = value;
    for (auto const v : all) least = std::min(least, static_cast<int>(v));
    return least;
}
static inline int __reduce_max_sync(unsigned, int value)
{
    auto const& all = crx_test::fiber_warp().exchange("max", static_cast<unsigned>(value));
    int most = value;
    for (auto const v : all) most = std::max(most, static_cast<int>(v));
    return most;
}
static inline unsigned __reduce_add_sync(unsigned, unsigned value)
{
    unsigned sum = 0;
    for (auto const v : crx_test::fiber_warp().exchange("add", value)) sum += v;
    return sum;
}
static inline unsigned __reduce_or_sync(unsigned, unsigned value)
{
    unsigned bits = 0;
    for (auto const v : crx_test::fiber_warp().exchange("or", value)) bits |= v;
    return bits;
}
