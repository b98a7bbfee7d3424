#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/engines/registry.hh"
#include "oracle/oracle.hh"
#include "support/random_case.hh"

#include <map>
#include <string>

namespace crx_test {

/// What was compared: an instance of one policy, as often as an engine ran it.
struct Compared
{
    std::int64_t oracle_runs = 0; ///< the oracle's own, each compared at least once
    std::map<std::string, std::int64_t> by_engine; ///< instances that an engine ran
    std::map<std::string, std::int64_t> by_policy; ///< runs of the oracle
};

/// What the oracle says of an instance under a policy.
oracle::Schedule oracle_run(crx::PolicySpec const& spec, crx::OwnedInstance const& instance,
                            std::uint64_t seed, std::int64_t number);

/// The same sums as the program makes; empty where engine and oracle agree.
std::string difference(crx::Outcome const& engine, oracle::Schedule const& truth);

/// Runs instances first .. first + count - 1 of the case by every engine of the CPU that takes it,
/// and by a launch of all policies together. Empty where all agree with the oracle.
///
/// Engines of the cohort law draw otherwise than the oracle: of them, policies that draw nothing
/// are compared.
std::string compare_all(RandomCase const& c, std::vector<crx::PolicySpec> const& policies,
                        crx::InstanceRange range, Compared& compared);

} // namespace crx_test
