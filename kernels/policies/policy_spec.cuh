#pragma once

#include "kernels/policies/policy_kind.cuh"

namespace crx {

/// Levels of a-ladder, ascending.
struct LadderLevels
{
    static constexpr int most = 32;
    std::int32_t count = 0;
    std::int32_t level[most] = {};

    bool operator==(LadderLevels const&) const = default;
};

/// What A_min makes of a request that it cancels with g tokens generated (docs/model.md#a-min,
/// `learns`).
enum class Learns : std::uint8_t
{
    reached,  ///< the new working length is at least g
    exceeded, ///< at least g + 1: a request that is not done has that many (CHEN, Observation 1)
};

/// A number in [0, 1] as a fraction in lowest terms.
struct ExactShare
{
    std::int64_t numerator = 0, denominator = 1;

    bool operator==(ExactShare const&) const = default;
};

/// A policy and its parameters, as a value that travels to any processor.
struct PolicySpec
{
    PolicyKind kind = {};       ///< 0: mc-sf
    LadderLevels levels = {};   ///< of a-ladder; empty elsewhere
    ExactShare alpha = {};      ///< of protect and clear: the part of M that admission leaves free
    ExactShare beta = {};       ///< of clear: the chance of each active request to be cancelled
    std::int64_t round_cap = 0; ///< of clear: rounds without a completion; 0: 10 M
    Learns learns = Learns::reached; ///< of a-min and a-min-evict

    bool operator==(PolicySpec const&) const = default;
};

} // namespace crx
