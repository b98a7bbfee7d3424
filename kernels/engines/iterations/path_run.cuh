#pragma once

#include "kernels/engines/iterations/fcfs_policy.cuh"
#include "kernels/engines/iterations/iteration_clock.cuh"
#include "kernels/engines/iterations/poisson_arrivals.cuh"
#include "kernels/engines/iterations/prompt_threshold_policy.cuh"
#include "kernels/engines/iterations/threshold_policy.cuh"

#include <type_traits>

namespace crx {

/// All that the paths of a cell read: views of arrays that the caller owns, in the memory of the
/// processor that runs them.
struct PathPlan
{
    IterationTime time;
    PromptType const* types = nullptr;
    std::int32_t type_count = 0;
    Tokens capacity = 0; ///< as IterationClock has it
    Tokens hard = 0;     ///< as PromptThresholdPolicy has it
    std::uint64_t seed = 0;
    PoissonTable arrivals;
    std::int64_t const* quorum = nullptr; ///< per type, as PoissonArrivals has it
    Nanoseconds const* checkpoints = nullptr;
    std::int32_t checkpoint_count = 0;
    ThresholdPlan thresholds; ///< of ThresholdPolicy and PromptThresholdPolicy
    FcfsPlan fcfs;            ///< of FcfsPolicy
};

enum class PathStatus : std::uint8_t
{
    running, ///< some checkpoint is not reached
    done,
    no_room ///< a queue was too short: the path must be run again with more room
};

/// One path, which stops wherever its caller wants and goes on later with the same integers: what a
/// processor that must not be held for a whole path runs (docs/decisions/053-paths-in-slices.md).
/// `Events`: NoTypeEvents, TypeEvents where the tallies of each type are wanted, or RequestEvents.
template <class Policy, class Events = NoTypeEvents>
class PathRun
{
  public:
    /// `room`: of the policy's queues, a power of two. With a null arena it only counts bytes.
    CRX_HD PathRun(PathPlan const& plan, std::uint64_t path, std::int64_t room, Arena& arena,
                   Events const& events = {})
        : policy_(policy(plan, room, arena)),
          arrivals_(plan.arrivals, plan.seed, path, plan.quorum, plan.checkpoints,
                    plan.checkpoint_count, arena),
          events_(events)
    {
        if constexpr (Events::wanted) {
            events_.tally = arena.take<TypeTally>(plan.type_count);
            for (std::int32_t j = 0; events_.tally != nullptr && j < plan.type_count; ++j)
                events_.tally[j] = {};
        }
    }

    /// Goes on for `steps` instants at most, at least 1; writes tallies[c] when checkpoint c is
    /// reached, and with TypeEvents types[c * type_count + j].
    CRX_HD PathStatus run(PathPlan const& plan, std::int64_t steps, IterationTally* tallies,
                          TypeTally* types = nullptr)
    {
        IterationClock clock(plan.time, plan.types, plan.type_count, plan.capacity, policy_,
                             arrivals_, NoIterationLog{}, events_);
        clock.go_on_from(clock_);
        for (; checkpoint_ < plan.checkpoint_count; ++checkpoint_) {
            if (!clock.run_until(plan.checkpoints[checkpoint_], steps)) return PathStatus::no_room;
            if (steps == 0) break;
            tallies[checkpoint_] = clock.tally();
            if constexpr (Events::names) events_.reached(plan.checkpoints[checkpoint_]);
            if constexpr (Events::wanted)
                tell_types(plan, types + checkpoint_ * std::int64_t{plan.type_count});
        }
        clock_ = clock.state();
        return checkpoint_ < plan.checkpoint_count ? PathStatus::running : PathStatus::done;
    }

    /// Bytes of arena for one path. Contract: the plan's arrays are in the host's memory.
    static std::size_t arena_bytes(PathPlan const& plan, std::int64_t room)
    {
        return arena_bytes_of([&](Arena& arena) { PathRun(plan, 0, room, arena); });
    }

  private:
    CRX_HD static Policy policy(PathPlan const& plan, std::int64_t room, Arena& arena)
    {
        if constexpr (std::is_same_v<Policy, ThresholdPolicy>)
            return Policy(plan.thresholds, room, arena);
        else if constexpr (std::is_same_v<Policy, PromptThresholdPolicy>)
            return Policy(plan.thresholds, plan.hard, room, arena);
        else
            return Policy(plan.fcfs, room, arena);
    }

    /// The types' sums up to the checkpoint that was reached last.
    CRX_HD void tell_types(PathPlan const& plan, TypeTally* types) const
    {
        for (std::int32_t j = 0; j < plan.type_count; ++j) {
            auto const [count, time] = arrivals_.totals(j, plan.checkpoints[checkpoint_]);
            types[j] = events_.tally[j];
            types[j].arrivals = count;
            types[j].arrival_time = time;
        }
    }

    Policy policy_;
    PoissonArrivals arrivals_;
    Events events_;
    ClockState clock_;
    std::int32_t checkpoint_ = 0;
};

} // namespace crx
