#pragma once

#include "oracle/words.hh"

#include <cstdint>
#include <string>
#include <vector>

/// The oracle: docs/model.md one round at a time, in plain loops. It shares no code with the
/// program; where the two differ, one of them is wrong and the oracle is asked first.
namespace oracle {

struct Request
{
    std::int64_t arrival = 0, prompt = 0, output = 1, lower = 1, upper = 1;
};

/// A share as an exact fraction.
struct Share
{
    std::int64_t numerator = 0, denominator = 1;
};

struct Policy
{
    std::string id;                        ///< as in docs/model.md#policies
    std::vector<std::int64_t> levels = {}; ///< of a-ladder, ascending; empty elsewhere
    Share alpha = {};                      ///< of protect and clear
    Share beta = {};                       ///< of clear
    std::int64_t round_cap = 0;            ///< of clear: rounds without a completion
    Share watermark = {};                  ///< of fcfs
    std::int64_t max_running = 0;          ///< of fcfs; 0: any number
    std::int64_t budget = 0;               ///< of fcfs: prompt tokens a round; 0: any number
    bool learns_exceeded = false;          ///< of a-min and a-min-evict: learns = "exceeded"
    /// Of a-min and a-min-evict: evicts = "least-current-bound".
    bool evicts_least_current_bound = false;
    bool cancels_newest = false;                             ///< of protect: cancels = "newest"
    std::string key = {}, plans_with = {}, on_overflow = {}; ///< of by-key
    bool ties_drawn = false;                                 ///< of by-key: ties = "drawn"
};

/// A round lasts d0 + floor(d1 held / 2^16) + floor(d2 prompts / 2^16) + d3 running: tokens held at
/// its end, prompt tokens that enter in it, requests that generate a token. As it is: the unit
/// clock.
struct Clock
{
    std::int64_t d0 = 1, d1 = 0, d2 = 0, d3 = 0;
};

struct Schedule
{
    bool finished = true;
    std::string reason;                   ///< where not finished: cycle, round cap or blocked
    std::int64_t first_token_latency = 0; ///< from arrival to the first token of the last run
    std::int64_t total_latency = 0, makespan = 0, peak_memory = 0;
    std::int64_t cancellations = 0, wasted_tokens = 0;
    std::vector<std::int64_t> start, completion, cancelled; ///< per request, in index order
    std::vector<std::int64_t> first_start, first_token, first_shown, lost; ///< likewise
    std::vector<std::int64_t> longest_gap; ///< between two new tokens; -1: fewer than two
};

/// Runs `policy` on the instance. Random choices as in docs/random-choices.md.
Schedule simulate(Policy const& policy, std::vector<Request> const& requests, std::int64_t memory,
                  std::uint64_t seed, std::uint64_t instance, Clock const& clock = {});

/// The same with random choices from elsewhere.
Schedule simulate(Policy const& policy, std::vector<Request> const& requests, std::int64_t memory,
                  Choices& choices, Clock const& clock = {});

} // namespace oracle
