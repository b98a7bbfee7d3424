#pragma once

#include "kernels/engines/lists/execute_list.hh"
#include "kernels/model/measures.hh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/host_policy.hh"
#include "kernels/policies/policy_spec.cuh"

#include <vector>

namespace crx {

/// One instance with its memory in vectors, all of the same length n (docs/model.md#requests).
struct OwnedInstance
{
    Tokens memory = 0;
    std::vector<Instant> arrival;
    std::vector<std::int32_t> prompt, output, lower, upper;
    Clock clock;

    std::int64_t requests() const { return static_cast<std::int64_t>(output.size()); }
    void resize(std::size_t n);
};

/// The instance as engines read it, while it lives: through mutable pointers because generators
/// write through them.
Requests requests_of(OwnedInstance& instance);

/// State at a round at which the engine stopped: between two of them nothing happens but that every
/// active request grows by a token a round.
struct TimelinePoint
{
    Instant time;         ///< when the round begins
    Tokens held;          ///< memory held then, completions of that time included
    std::int64_t active;  ///< active requests after the round's cancellations and admissions
    std::int64_t waiting; ///< waiting requests, likewise
    bool operator==(TimelinePoint const&) const = default;
};

/// A run of a request that was cancelled.
struct CancelledRun
{
    std::size_t request;
    Instant start, end;
    bool operator==(CancelledRun const&) const = default;
};

/// What became of each request of one instance under one policy.
struct SingleRun
{
    Outcome outcome;
    std::vector<Instant> start;      ///< start of the run that completed
    std::vector<Instant> completion; ///< neither means anything where the outcome is unfinished
    std::vector<std::int32_t> cancellations;
    /// As ScheduleLog says.
    std::vector<Instant> first_start, first_token, first_shown;
    std::vector<std::int64_t> lost;
    std::vector<std::int64_t> longest_gap; ///< between two new tokens; -1: fewer than two
    MemoryUse use;                         ///< 0 where an engine serves a fixed order
    std::vector<TimelinePoint> timeline;
    /// In the order of their ends. Cycles that an engine passes at once are counted and not here,
    /// nor what comes after the first most_cancelled_runs.
    std::vector<CancelledRun> cancelled;
    static constexpr std::size_t most_cancelled_runs = 1 << 20;
};

/// ScheduleLog::on_event for a std::vector<TimelinePoint> as its context.
void record_point(void* timeline, Instant time, Tokens held, std::int64_t active,
                  std::int64_t waiting);

/// Instance number `instance` of a workload.
OwnedInstance generate_single(Workload const& workload, std::int64_t instance);
/// Instance number `instance` of a source.
OwnedInstance generate_single(InstanceSource const& source, std::uint64_t seed,
                              std::int64_t instance);

/// Runs one policy on one instance with all detail; the same integers as in a sweep.
/// Contract: every request fits (s + o <= M, and s + u <= M where the policy plans with u).
SingleRun execute_single(PolicySpec const& spec, OwnedInstance const& instance, std::uint64_t seed,
                         std::int64_t number);

/// Likewise a policy that runs by itself.
SingleRun execute_single(HostPolicy const& policy, OwnedInstance const& instance,
                         std::uint64_t seed, std::int64_t number);

/// The prefix rule with true lengths in any given order, with detail: as the other of this name.
SingleRun execute_in_order(OwnedInstance const& instance, std::vector<std::size_t> const& order);

/// The volume bound (docs/model.md#volume-bound) for one instance, all requests at 0; 0: 2^62 or
/// more.
std::int64_t volume_bound(OwnedInstance const& instance);
/// The release bound (docs/model.md#volume-bound), with arrivals under the unit clock; 0: 2^62 or
/// more.
std::int64_t release_bound(OwnedInstance const& instance);

/// execute_single of requests in arrays of the caller's, which are only read.
SingleRun execute_single(PolicySpec const& spec, Requests const& requests, std::uint64_t seed,
                         std::int64_t number);

} // namespace crx
