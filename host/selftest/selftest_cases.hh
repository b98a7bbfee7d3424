#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/engines/cell.hh"

#include <string>
#include <vector>

namespace crx {

/// A workload with awkward shapes, small enough for the oracle.
struct SelftestCase
{
    std::string name;
    Workload workload;
    Rounds arrival_gap = 0;  ///< request i of the recorded instances arrives at (7 i mod 13) gaps
    bool fits_warps = false; ///< known to fit the lanes of a GPU's warp, under every policy
};

/// Every case: ties, one request filling M, s = 0, n = 1, exact fits, long u with short o, ...
/// Changing them asks for new recorded answers (docs/contributing.md).
std::vector<SelftestCase> selftest_cases();

/// Larger ones, at 0, that tell the variants of a GPU's kernels apart: instances with their arrays
/// in shared memory and in device memory, and some that do not fit a warp's lanes.
std::vector<SelftestCase> selftest_device_cases();

/// Cases of more requests, for the cohort engines in lanes alone: in floats and in doubles.
std::vector<SelftestCase> selftest_cohort_cases();

/// Every policy with its parameters for a case.
std::vector<PolicySpec> selftest_policies(SelftestCase const& test);

/// Instances of each case that the oracle's answers are recorded for.
inline constexpr std::int64_t recorded_instances = 12;

/// Instance `number` of a case, arrivals set.
OwnedInstance selftest_instance(SelftestCase const& test, std::int64_t number);

/// One number for all that a schedule says: FNV-1a over every request's start, completion and
/// cancellations, then total latency, times to first tokens, makespan, peak memory, cancellations
/// and wasted tokens; of a run that does not finish the reason alone.
class AnswerHash
{
  public:
    void add(std::int64_t value);
    std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 14695981039346656037ull;
};
std::uint64_t answer_hash(SingleRun const& run);

/// The oracle's answers: case by case, policy by policy, instance by instance.
std::vector<std::uint64_t> const& recorded_answers();

} // namespace crx
