#pragma once

#include "kernels/base/processor.hh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/policy_spec.cuh"

#include <memory>
#include <string>
#include <vector>

namespace crx {

/// One policy on instances of one workload side by side, by cohorts, one instance in each lane of
/// the processor's vectors. The same outcomes as execute_cohort gives, events included.
class InstanceBatch
{
  public:
    virtual ~InstanceBatch();

    /// Instances that run side by side.
    int lanes() const { return static_cast<int>(outcomes_.size()); }
    /// Runs instances first .. first + instances - 1, at most lanes(). counts[c k + j]: requests of
    /// the j-th of c lengths in instance first + k.
    virtual void execute(std::int64_t first, int instances, std::int64_t const* counts) = 0;
    /// Of the k-th instance that was run last.
    Outcome const& outcome(int k) const { return outcomes_[static_cast<std::size_t>(k)]; }

  protected:
    explicit InstanceBatch(int lanes);
    /// The outcome of lane k, but for the latency to the first token.
    void keep(int k, Outcome const& outcome, WorkloadView const& workload,
              std::int64_t const* counts);

  private:
    std::vector<Outcome> outcomes_;
};

/// What an engine in lanes can run a case in, if at all.
enum class LaneFit
{
    none,
    doubles,
    floats
};

/// Most rounds until all have completed: while some wait, at least as many run as fit with working
/// length `longest` whatever their age, and each of the n runs `each` rounds at most.
double most_lane_rounds(WorkloadView const& workload, std::int64_t longest, std::int64_t each);

/// The most places of a group, so that a thread holds 2 MiB of them at most.
inline constexpr std::int64_t most_lane_places = 4096;

/// Whether a group that looks through so many places in so many steps is done in a second, most in
/// far less: it is not given up half-way. A step costs as much as 32 places besides.
constexpr bool lanes_end_soon(double steps, std::int64_t places)
{
    return steps * static_cast<double>(places + 32) <= 2e8;
}

/// Whether a warp of a GPU ends within a few tenths of a second: it is not cut into slices.
constexpr bool gpu_lanes_end_soon(double steps, std::int64_t places)
{
    return lanes_end_soon(20 * steps, places);
}

/// Whether whole numbers up to 2^bits hold all that is computed of cohorts: memory, n + 2 (draws
/// divide by it), and a time plus what a request takes. Larger products are compared
/// (least_quotient.cuh) or summed up by ProductSums; all others are memory that so many requests
/// hold, give back or take until an end, M at most. `rounds`: most until the end.
bool lanes_hold(int bits, WorkloadView const& workload, double rounds);

/// What an engine in lanes needs to run a case: its rounds and steps, at most, and places.
struct LaneNeeds
{
    double rounds, steps;
    std::int64_t places;
};
/// Why doubles are not enough, or an instance too large; empty: it can be run.
std::string lanes_refusal(WorkloadView const& workload, LaneNeeds const& needs);
/// Why an instance is too large for a GPU; empty: it is not.
std::string gpu_lanes_refusal(LaneNeeds const& needs);
/// The numbers in which it can be run.
LaneFit lane_fit(WorkloadView const& workload, LaneNeeds const& needs);

inline constexpr int most_a_max_lengths = 8;

/// Why AMaxBatchEngine cannot run a-max on the workload; empty: it can. Contract: the workload can
/// be run by cohorts under a-max.
std::string a_max_batch_refusal(WorkloadView const& workload);
/// The numbers that it can do so in.
LaneFit a_max_batch_fit(WorkloadView const& workload);

/// a-max for several instances at once; for CPUs with AVX-512 or AVX2. Null where the processor
/// lacks the instruction set, it is none, or nothing fits. Contract: as above, and the workload's
/// tables outlive the result.
std::unique_ptr<InstanceBatch> a_max_batch(WorkloadView const& workload,
                                           SimdLevel level = simd_level());
/// Makes the batch at one vector level, in floats or in doubles. Contract: a_max_batch_fit.
CRX_FOR_EACH_LEVEL(InstanceBatch* make_a_max_batch(WorkloadView const& workload, bool floats);)

/// Whether AMinBatchEngine can run a-min and a-min-evict on the workload, whether it is worth it
/// or not: memory below 2^24, u at most 512, fewer than 2^30 requests, and instances so short that
/// none has to be given up before its end. Rounds are taken to be four times as many as if no
/// request were cancelled: where it is worth it three times as many were seen, with memory for a
/// few requests six times. Contract: the workload can be run by cohorts under these policies.
bool a_min_batch_fit(WorkloadView const& workload);

/// Whether it is faster than the engine that runs one instance. With little memory for the longest
/// requests few of them run together, and the rounds that are looked through in all lanes are too
/// many, sooner for a-min, which admits fewer in a round (docs/decisions/067-engines-deleted.md).
bool a_min_batch_pays(PolicyKind kind, WorkloadView const& workload);

/// The policy, one of these two, for several instances at once; for CPUs with AVX-512 or AVX2. Null
/// where the processor lacks the instruction set, it is none, or nothing fits. Contract: as above,
/// and the workload's tables outlive the result.
std::unique_ptr<InstanceBatch> a_min_batch(PolicyKind kind, WorkloadView const& workload,
                                           SimdLevel level = simd_level());
/// Makes the batch at one vector level. `most_cohorts`: of an instance. Contract: a_min_batch_fit.
CRX_FOR_EACH_LEVEL(InstanceBatch* make_a_min_batch(PolicyKind kind, WorkloadView const& workload,
                                                   std::int64_t most_cohorts);)

/// Whether it is a policy that FixedLengthBatchEngine can run: mc-sf (mc-sf-total is the same) or
/// a-ell.
bool runs_fixed_lengths(PolicyKind kind);

/// Why FixedLengthBatchEngine cannot run the policy on the workload; empty: it can. Contract: the
/// workload can be run by cohorts under the policy.
std::string fixed_length_batch_refusal(PolicySpec const& spec, WorkloadView const& workload);
/// The numbers that it can do so in.
LaneFit fixed_length_batch_fit(PolicySpec const& spec, WorkloadView const& workload);

/// The policy for several instances at once; for CPUs with AVX-512 or AVX2. Null where the
/// processor lacks the instruction set, it is none, or nothing fits. Contract: as above, and the
/// workload's tables outlive the result.
std::unique_ptr<InstanceBatch> fixed_length_batch(PolicySpec const& spec,
                                                  WorkloadView const& workload,
                                                  SimdLevel level = simd_level());
/// Makes the batch at one vector level, for mc-sf or for a-ell (`hidden`), in floats or in doubles.
/// Contract: fixed_length_batch_fit.
CRX_FOR_EACH_LEVEL(InstanceBatch* make_fixed_length_batch(WorkloadView const& workload, bool hidden,
                                                          bool floats);)

/// Most steps of a group while a cohort is active: its rounds, and one for each length that is
/// turned to. `longest`: the longest working length.
inline std::int64_t fixed_length_batch_steps(WorkloadView const& w, std::int64_t longest)
{
    return longest + static_cast<std::int64_t>(w.output_value.size()) + 4;
}

} // namespace crx
