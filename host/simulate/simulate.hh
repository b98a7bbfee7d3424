#pragma once

#include "host/experiment/policy_parameters.hh"
#include "host/input/instance.hh"
#include "kernels/cpu/single.hh"
#include "kernels/model/clock.cuh"
#include <optional>
#include <string>

namespace crx {

/// What --clock and --d0 .. --d3 say; nothing where they were not given.
struct ClockArguments
{
    std::optional<std::string> profile;
    std::optional<double> cost[4]; ///< d0 .. d3, nanoseconds
};

/// The clock they name: the unit clock where nothing was given, a machine profile
/// (docs/profiles.md), or one of d0, d1, d2 and, where given, d3. d0 and d3 are rounded to
/// nanoseconds, d1 and d2 to 2^-16 of one. Throws ConfigError naming the option: an unknown
/// profile, a profile beside costs of one's own, a missing d0, d1 or d2, a cost that is negative or
/// so large that a round of `memory` tokens could be longer than 2^62 nanoseconds.
Clock clock_argument(ClockArguments const& given, Tokens memory);

/// The clock for people: "d0 = 33828665, d1 = 80.3531, d2 = 219399, d3 = 0".
std::string clock_text(Clock const& clock);

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

/// The policy where it is a user's own that runs by itself; else null. Throws ConfigError.
std::shared_ptr<HostPolicy const> own_policy_argument(std::string const& id,
                                                      PolicyParameters const& given);
/// Whether requests must fit by u. Throws ConfigError.
bool plans_with_upper(SimulateRequest const& request);

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
