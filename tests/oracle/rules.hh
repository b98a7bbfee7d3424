#pragma once

#include <cstddef>
#include <cstdint>
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
};

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
    std::int64_t expected = 0; ///< the working length e
    std::int64_t start = 0;    ///< round of its present run, while active
    std::int64_t began = 0;    ///< when that round began
    std::int64_t tokens = 0;   ///< generated in its present run
    std::int64_t first = 0;    ///< when the first of them was there
    std::int64_t place = 0;    ///< in the permutation
    std::int64_t turn = 0;     ///< in the queue of a-ell
};

/// Throws std::invalid_argument for an id it does not know.
Rule rule_of(Policy const& policy);

/// Throws std::invalid_argument naming the first request the rule cannot serve.
void check_requests(Rule rule, std::vector<Request> const& requests, std::int64_t memory);

/// The working length of a request that has not run yet.
std::int64_t first_expected(Rule rule, Policy const& policy, Request const& request);

/// Least level of a-ladder that is at least `floor`, cut to u; u where there is none.
std::int64_t ladder_level(Policy const& policy, Request const& request, std::int64_t floor);

/// SPEC section 3, with every active job counted by max(e, g+1): may `candidate` start in round
/// `now` beside the active jobs? With `weightless_outlived`, active jobs with g >= e are left out.
bool feasible(std::vector<Job> const& jobs, Job const& candidate, std::int64_t now,
              std::int64_t memory, bool weightless_outlived);

} // namespace oracle
