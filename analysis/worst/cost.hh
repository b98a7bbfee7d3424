#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/policies/policy_spec.cuh"

#include <functional>
#include <optional>
#include <string>

namespace crx::worst {

/// The measure of a schedule whose ratio is searched.
enum class Measure
{
    total_latency, ///< TEL
    p99,           ///< the ceil(0.99 n)-th smallest latency
    makespan,      ///< the last completion
};

/// Numerator or denominator of a ratio: an algorithm's measure, summed over `draws` runs.
struct Cost
{
    std::string id;
    std::int64_t draws = 1; ///< numbers 0 .. draws - 1 of its random choices; 1 without any
    /// Empty where the algorithm does not finish the instance or does not accept it. Safe for
    /// concurrent calls. Contract: every request fits by u.
    std::function<std::optional<std::int64_t>(OwnedInstance const&)> sum;
};

/// A registered policy, by the engines. Random ones run by the engine that a sweep would take, so
/// many draws side by side where that one can.
Cost policy_cost(PolicySpec const& spec, std::uint64_t seed, std::int64_t draws, Measure measure);

} // namespace crx::worst
