#pragma once

#include "kernels/model/requests.cuh"

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace crx {

/// A waiting or active request, as one who decides may see it.
struct RequestState
{
    std::int64_t id;        ///< its index
    std::int32_t generated; ///< tokens of its present run; of a waiting one, the most it ever had
    std::int32_t cancelled; ///< how often
};

/// What has happened when a decision is asked for, and what there is.
struct Situation
{
    Rounds round = 0; ///< rounds so far; under the unit clock the time
    Instant now = 0;  ///< when the round begins
    Tokens memory = 0;
    /// What is left of M once every active request has its next token; negative: memory overflows
    /// unless some are cancelled.
    Tokens free = 0;
    std::span<std::int64_t const> arrived, completed; ///< since the last decision
    std::span<RequestState const> waiting, active;    ///< by arrival; by start
};

/// Indices of requests: first all of `cancel` are cancelled, then `start` are started in the order
/// given.
struct Decision
{
    std::vector<std::int64_t> cancel, start;
    std::optional<Rounds> wake; ///< a later round in which to be asked, whatever happens
};

/// Decides for one instance.
class Decider
{
  public:
    virtual ~Decider() = default;
    virtual Decision decide(Situation const& situation) = 0;
    /// Whether it reads the lists of waiting and active requests.
    virtual bool reads_lists() const { return true; }
};

/// A decision is none.
class DecisionError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// Runs an instance as `decider` says, and keeps the model (docs/model.md#program): asked when
/// requests have arrived or completed, when memory would overflow and in the round that it named.
///
/// Throws DecisionError naming request and round where a decision is none: a request that does
/// not wait is started or one that does not run is cancelled, memory overflows, the round to be
/// asked in is past, or requests wait and nothing is to happen.
Outcome execute_decisions(Requests const& requests, Decider& decider, ScheduleLog const& log);

} // namespace crx
