#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "oracle/oracle.hh"

namespace oracle {

/// The numbers name the random streams (docs/random-choices.md).
enum class Rule : std::uint32_t
{
    mc_sf = 0,
    mc_sf_total = 1,
    mc_benchmark = 2,
    a_random = 3,
    a_max = 4,
    a_min = 5,
    a_min_evict = 6,
    a_ell = 7,
    a_ladder = 8,
    protect = 9,
    clear = 10,
    fcfs = 11,
    by_key = 12, // draws ties alone
};
inline constexpr char const* rule_ids[] = {
    "mc-sf", "mc-sf-total", "mc-benchmark", "a-random", "a-max", "a-min", "a-min-evict",
    "a-ell", "a-ladder",    "protect",      "clear",    "fcfs",  "by-key"};

enum class State
{
    pending,
    waiting,
    active,
    done
};

/// A request on its way through the rounds.
struct Job
{
    Request request;
    State state = State::pending;
    std::int64_t expected = 0;   ///< the working length e
    std::int64_t start = 0;      ///< round of its present run, while active
    std::int64_t began = 0;      ///< when that round began
    std::int64_t tokens = 0;     ///< generated in its present run
    std::int64_t first = 0;      ///< when the first of them was there
    std::int64_t place = 0;      ///< in the permutation
    std::int64_t turn = 0;       ///< in the queue of a-ell
    std::int64_t ran = 0;        ///< time that it spent in runs that were cancelled
    std::int64_t most = 0;       ///< tokens generated in one of these
    std::int64_t shown = 0;      ///< the most tokens that it ever had in a run
    std::int64_t last_shown = 0; ///< when the last of these was there
};

/// Throws std::invalid_argument for an id it does not know.
Rule rule_of(Policy const& policy);

/// Throws std::invalid_argument naming the first request the rule cannot serve.
void check_requests(Rule rule, std::vector<Request> const& requests, std::int64_t memory);

/// Least level of a-ladder that is at least `floor`, cut to u; u where there is none.
std::int64_t ladder_level(Policy const& policy, Request const& request, std::int64_t floor);

/// The working length of a request that has not run yet.
inline std::int64_t first_expected(Rule rule, Policy const& policy, Request const& request)
{
    switch (rule) {
    case Rule::mc_sf:
    case Rule::mc_sf_total:
    case Rule::mc_benchmark:
    case Rule::a_random:
    case Rule::protect:
    case Rule::clear:
    case Rule::fcfs: return request.output;
    case Rule::a_max: return request.upper;
    case Rule::a_min:
    case Rule::a_min_evict:
    case Rule::a_ell: return request.lower;
    case Rule::a_ladder: return ladder_level(policy, request, request.lower);
    case Rule::by_key: break; // needs the memory
    }
    throw std::logic_error("oracle: a rule without a first length");
}

/// Place in the waiting order of the rules that have one; ties go by index.
inline std::pair<std::int64_t, std::int64_t> order_key(Rule rule, Job const& job)
{
    Request const& r = job.request;
    switch (rule) {
    case Rule::mc_sf: return {r.output, 0};
    case Rule::mc_sf_total: return {r.prompt + r.output, 0};
    case Rule::mc_benchmark:
    case Rule::protect:
    case Rule::clear:
    case Rule::fcfs: return {r.arrival, 0};
    case Rule::a_random: return {job.place, 0};
    case Rule::a_max: return {r.upper, job.place};
    case Rule::a_ell: return {job.turn, 0};
    case Rule::a_min:
    case Rule::a_min_evict:
    case Rule::by_key:
    case Rule::a_ladder: break; // drawn, or keys of their own
    }
    throw std::logic_error("oracle: a rule without an order");
}

/// The check of docs/model.md#look-ahead-check, with every active job counted by max(e, g+1): may
/// `candidate` start in round `now` beside the active jobs? With `weightless_outlived`, active jobs
/// with g >= e are left out.
bool feasible(std::vector<Job> const& jobs, Job const& candidate, std::int64_t now,
              std::int64_t memory, bool weightless_outlived);

} // namespace oracle
