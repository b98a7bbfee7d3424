#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

// The threads of the emulated GPU: fibers that run one at a time and in any order between the
// points where they wait for each other, several blocks in turns.

namespace emulated {

/// Three numbers, as threadIdx has.
struct Index
{
    unsigned x = 0, y = 0, z = 0;
};

/// What a kernel is launched with.
struct Config
{
    std::int64_t blocks = 1, threads = 1;
    std::size_t shared = 0; ///< bytes of dynamic shared memory, a block
};

/// Runs body in every thread of the grid until all have returned, or one has called end_kernel():
/// then it says false. Ends the program with what was
/// wrong where threads that should meet do not. Contract: blocks and threads above 0.
bool run_threads(Config const& config, std::function<void()> const& body);

/// Seeds the order of threads and blocks of all launches to come.
void seed_order(std::uint64_t seed);

/// A random word of that order.
std::uint64_t any_word();

/// Whether a thread of the GPU runs.
bool in_kernel();

/// Block and thread that run, for messages; empty outside of kernels.
std::string where();

// --- for threads of a kernel ---------------------------------------------------------------------

using WarpValues = std::array<std::uint64_t, 32>;

/// Waits until all threads of the warp have come to `point`; what each has given. Contract: the
/// warp is a whole one.
WarpValues const& meet_warp(char const* point, unsigned mask, std::uint64_t value);

/// Waits until all threads of the block have come.
void meet_block();

/// The kernel ends here with a fault, whatever its threads do; run_threads() returns.
[[noreturn]] void end_kernel();

/// Others may run before this one goes on.
void let_others_run();

/// The block's dynamic shared memory: garbage at first, and no byte longer than asked for, rounded
/// up to 16.
void* dynamic_shared();

/// The block's variable of this name, `bytes` long: garbage at first.
void* static_shared(void const* name, std::size_t bytes);

} // namespace emulated

inline emulated::Index threadIdx, blockIdx, blockDim, gridDim;
