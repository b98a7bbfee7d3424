#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crx {

/// What a self-test found.
struct SelftestResult
{
    std::int64_t passed = 0, failed = 0;
    std::vector<std::string> failures; ///< the first few, a line each

    void count(bool ok, std::string const& what);
    void add(SelftestResult const& other);
};

/// The CPU against itself: chunks of 1, 7 and 597 instances must merge to the same tallies.
SelftestResult selftest_cpu();

/// How many instances of each case are compared on a device; 0: none of these cases.
struct DeviceCounts
{
    std::int64_t awkward = 597;  ///< no multiple of a warp, a block or a chunk
    std::int64_t larger = 203;   ///< of larger instances
    std::int64_t growing = 8000; ///< in growing chunks: some of them measure
};

/// The CUDA device against the CPU: equal tallies of every case and policy. Throws
/// std::runtime_error where there is no device.
SelftestResult selftest_cuda(DeviceCounts const& counts = {});

/// Paths of the iteration model on the CPU, whole against some at a time in slices.
SelftestResult selftest_paths_cpu();

/// Paths on the CUDA device against the CPU: equal tallies at every checkpoint. Throws
/// std::runtime_error where there is no device.
SelftestResult selftest_paths_cuda();

/// So many hypergeometric draws on the CUDA device and on the CPU: equal numbers by as many words.
SelftestResult selftest_draws_cuda(std::int64_t count);

} // namespace crx
