#pragma once

#include "analysis/worst/compositions.hh"
#include "kernels/cpu/single.hh"
#include "kernels/policies/policy_spec.cuh"

#include <functional>
#include <optional>
#include <stdexcept>
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
    bool random = false; ///< other draws may cost something else
};

/// A registered policy, by the engines. Random ones run by the engine that a sweep would take, so
/// many draws side by side where that one can.
Cost policy_cost(PolicySpec const& spec, std::uint64_t seed, std::int64_t draws, Measure measure);

/// A fraction of whole numbers below 2^127, not reduced unless it says so. What does not fit throws
/// std::overflow_error. Contract: below > 0.
struct ExactFraction
{
    __int128 above = 0, below = 1;

    ExactFraction reduced() const
    {
        auto a = above < 0 ? -above : above, b = below;
        while (b != 0) {
            auto const rest = a % b;
            a = b;
            b = rest;
        }
        return a > 1 ? ExactFraction{above / a, below / a} : *this;
    }
    double value() const { return static_cast<double>(above) / static_cast<double>(below); }
    /// In lowest terms: "30/11", or "2".
    std::string text() const;

    static __int128 product(__int128 a, __int128 b)
    {
        __int128 result = 0;
        if (__builtin_mul_overflow(a, b, &result))
            throw std::overflow_error("a fraction past 2^127");
        return result;
    }
    friend ExactFraction operator/(ExactFraction const& a, ExactFraction const& b)
    {
        return {product(a.above, b.below), product(a.below, b.above)};
    }
    friend ExactFraction operator+(ExactFraction const& a, ExactFraction const& b)
    {
        return ExactFraction{product(a.above, b.below) + product(b.above, a.below),
                             product(a.below, b.below)}
            .reduced();
    }
    friend bool operator<(ExactFraction const& a, ExactFraction const& b)
    {
        return product(a.above, b.below) < product(b.above, a.below);
    }
    friend bool operator==(ExactFraction const& a, ExactFraction const& b)
    {
        return product(a.above, b.below) == product(b.above, a.below);
    }
};

/// Thrown where a policy's mean is no sum over few choices: a path through them has a chance below
/// 2^-40, or there are more than most_paths. A_min with `learns = reached` can cancel and start
/// again without having learnt anything, so some of its paths have no end.
struct EndlessChoices : std::runtime_error
{
    EndlessChoices() : std::runtime_error("the policy's choices branch too often") {}
};
inline constexpr std::int64_t most_paths = 100'000;

/// A policy's exact TEL; for a random policy the mean over all its choices.
struct ExactCost
{
    /// Empty where a run does not finish. Safe for concurrent calls. Throws EndlessChoices.
    std::function<std::optional<ExactFraction>(OwnedInstance const&)> latency;
    /// Whether the place of two requests in the list can change the latency: where ties between
    /// them are broken by it.
    std::function<bool(RequestKind const&, RequestKind const&)> place_matters;
};

/// A registered policy. The choices of one that draws are followed one by one: each run is a path
/// through the tree of all that it could have drawn, and counts by its chance.
ExactCost exact_policy_cost(PolicySpec const& spec);

} // namespace crx::worst
