#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/engines/cell.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <string>
#include <vector>

namespace crx {

/// A workload with awkward shapes, small enough for the oracle.
struct SelftestCase
{
    std::string name;
    Workload workload;
    Rounds arrival_gap = 0;  ///< request i of selftest_instance arrives at (7 i mod 13) gaps
    bool fits_warps = false; ///< known to fit the lanes of a GPU's warp, under every policy
};

/// Every case: ties, one request filling M, s = 0, n = 1, exact fits, long u with short o, ...
/// Changing them asks for new recorded answers (tests/host/selftest/recorded_answers_test.cc).
std::vector<SelftestCase> selftest_cases();

/// Larger ones, at 0, that tell the variants of a GPU's kernels apart: instances with their arrays
/// in shared memory and in device memory, and some that do not fit a warp's lanes.
std::vector<SelftestCase> selftest_device_cases();

/// Cases of more requests, for the cohort engines in lanes alone: in floats and in doubles.
std::vector<SelftestCase> selftest_cohort_cases();

/// Every policy with its parameters for a case.
std::vector<PolicySpec> selftest_policies(SelftestCase const& test);

/// Instance `number` of a case, arrivals set.
OwnedInstance selftest_instance(SelftestCase const& test, std::int64_t number);

/// A cell of the iteration model with awkward shapes: blocks of arrivals in order and not, more
/// than 64 types, rates that vary, queues that outgrow their first room, every policy.
struct PathCase
{
    std::string name;
    IterationCell cell;
};

std::vector<PathCase> path_cases();

} // namespace crx
