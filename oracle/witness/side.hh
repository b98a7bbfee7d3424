#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "oracle/mean.hh"
#include "oracle/oracle.hh"

namespace oracle {

/// A file that does not say what it must, or says what is not so. what() is the reason.
struct Fault : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

std::string text_of(Fraction const& fraction);
/// "35/29", or "2".
Fraction fraction_of(nlohmann::json const& text);

/// `requests` of a witness, each `count` times.
std::vector<Request> requests_of(nlohmann::json const& witness);

/// Policy and parameters of a side. The memory decides the round cap of clear where none is given.
Policy policy_of(nlohmann::json const& side, std::int64_t memory);

/// `clock` of a witness; the unit clock where there is none.
Clock clock_of(nlohmann::json const& witness);

/// What a policy's runs cost by `measure` (total_latency, makespan or p99): the sum over the random
/// choices that the side names, over their number. Throws Fault where the policy does not finish.
Fraction policy_cost(nlohmann::json const& side, std::vector<Request> const& requests,
                     std::string const& measure, Clock const& clock);

/// TEL of `starts`, after looking at the memory of every round.
std::int64_t schedule_latency(std::vector<std::int64_t> const& starts,
                              std::vector<Request> const& requests, std::int64_t memory);

/// Why nothing below `bound` is a total latency of the requests. Throws Fault where something is,
/// or where it could not be shown.
std::string reason_for_bound(std::vector<Request> const& requests, std::int64_t memory,
                             std::int64_t bound, std::int64_t most_states);

} // namespace oracle
