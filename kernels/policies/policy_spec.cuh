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

/// A policy and its parameters, as a value that travels to any processor.
struct PolicySpec
{
    PolicyKind kind = PolicyKind::mc_sf;
    LadderLevels levels; ///< of a-ladder; empty elsewhere

    bool operator==(PolicySpec const&) const = default;
};

} // namespace crx
