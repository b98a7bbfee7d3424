#pragma once

#include <string>
#include <utility>

namespace emulated {

/// For whoever traces the program: both are called around each kernel, where they are set.
struct Observer
{
    void (*begin)(std::string const& kernel) = nullptr;
    void (*end)() = nullptr;
};
Observer& observer();

/// Where all memory of the GPU lies: from the first of these on, before the second.
std::pair<void const*, void const*> card_addresses();

} // namespace emulated
