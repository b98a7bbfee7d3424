#pragma once

#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/simd/processor.hh"

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

/// The same of a warp of a GPU, in a few tenths of a second: it is not cut either.
constexpr bool card_lanes_end_soon(double steps, std::int64_t places)
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
std::string card_lanes_refusal(LaneNeeds const& needs);
/// The numbers in which it can be run.
LaneFit lane_fit(WorkloadView const& workload, LaneNeeds const& needs);

} // namespace crx
