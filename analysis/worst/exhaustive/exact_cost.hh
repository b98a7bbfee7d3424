#pragma once

#include "analysis/worst/exhaustive/exact_fraction.hh"
#include "analysis/worst/exhaustive/request_lists.hh"
#include "kernels/policies/policy_spec.cuh"

#include <optional>

namespace crx::worst {

/// Thrown where a policy's mean is no sum over few choices: a path through them has a chance below
/// 2^-40, or there are more than most_paths. A_min with `learns = reached` can cancel and start
/// again without having learnt anything, so some of its paths have no end.
struct EndlessChoices : std::runtime_error
{
    EndlessChoices() : std::runtime_error("the policy's choices branch too often") {}
};
inline constexpr std::int64_t most_paths = 100'000;

/// A policy's TEL as an exact number: of a random one the mean over all its choices.
struct ExactCost
{
    /// Nothing where a run does not finish. Several threads call it at once. Throws EndlessChoices.
    std::function<std::optional<ExactFraction>(OwnedInstance const&)> latency;
    /// Whether the place of two requests in the list can change the latency: where ties between
    /// them are broken by it.
    std::function<bool(RequestKind const&, RequestKind const&)> place_matters;
};

/// A registered policy. The choices of one that draws are followed one by one: each run is a path
/// through the tree of all that it could have drawn, and counts by its chance.
ExactCost exact_policy_cost(PolicySpec const& spec);

} // namespace crx::worst
