#pragma once

#include "host/input/instance.hh"
#include "host/single/clock_argument.hh"
#include "host/single/policy_argument.hh"
#include "kernels/cpu/single.hh"

namespace crx {

/// One policy on one instance, as `crx simulate` takes it.
struct SimulateRequest
{
    std::string policy, selector; ///< any policy, those that order beforehand too
    PolicyParameters parameters;
    Clock clock;
    std::uint64_t seed = 0;
    std::int64_t number = 0;
};

/// Checks what can be checked without an instance. Throws ConfigError.
PolicySpec check_simulation(SimulateRequest const& request);

/// Runs it. Contract: check_simulation has passed, and every request fits. `order` is that of
/// `own-order`, else not read; `place` stands for the instance in messages. Throws InputError.
SingleRun simulate(SimulateRequest const& request, OwnedInstance const& instance,
                   std::vector<std::size_t> const& order, std::string const& place);

/// Requests of a file as an instance.
OwnedInstance instance_of(std::vector<Request> const& requests, Tokens memory, Clock const& clock);

/// The requests of an instance, with the ids 0, 1, ..
std::vector<Request> numbered_requests(OwnedInstance const& instance);

/// The order that column `order` gives; empty where there is none.
std::vector<std::size_t> order_of(std::vector<Request> const& requests);

} // namespace crx
