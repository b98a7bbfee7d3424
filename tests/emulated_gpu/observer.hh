#pragma once

#include "emulated_gpu/threads.hh"

#include <string>
#include <utility>

namespace emulated {

/// For whoever traces the program: both are called around each kernel, where they are set.
struct Observer
{
    void (*begin)(std::string const& kernel, Config const& config) = nullptr;
    void (*end)() = nullptr;
};
Observer& observer();

/// One of them is written whenever a thread of the GPU goes on, by its number in its block.
inline char volatile thread_marks[1024];

/// Where all memory of the GPU lies: from the first of these on, before the second.
std::pair<void const*, void const*> gpu_addresses();

} // namespace emulated
