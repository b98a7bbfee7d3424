#pragma once

namespace crx {

/// Puts a megabyte aside, and lets the first `new` that finds no memory have it.
///
/// Libraries cannot bear a refusal everywhere: a JSON value that is refused its first member is
/// left without contents and ends the program when it is destroyed. With the reserve such small
/// allocations succeed, and the program stops where it can: at the next call of
/// refill_memory_reserve. What does not fit into the reserve is refused with std::bad_alloc.
///
/// Called once, before other threads begin.
void hold_memory_reserve();

/// Puts the reserve aside again where it was spent. Error: std::bad_alloc where there is no memory
/// for it. Called where the program can stop without loss.
void refill_memory_reserve();

} // namespace crx
