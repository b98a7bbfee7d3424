#pragma once

#include "analysis/claims/trial.hh"
#include "kernels/policies/policy_spec.cuh"

#include <random>

namespace crx::claims {

/// One request as a claim's page writes it: (prompt, output), known to lie in [lower, upper].
struct Item
{
    std::int32_t prompt = 0, output = 1, lower = 1, upper = 1;
};

/// A request whose length is known.
inline Item known(std::int32_t prompt, std::int32_t output)
{
    return {prompt, output, output, output};
}

/// Requests that are all there at 0, unit clock.
OwnedInstance at_zero(Tokens memory, std::vector<Item> const& items);

/// The policy (docs/model.md#policies) with that id; `levels` for a-ladder alone.
PolicySpec policy(std::string_view id, std::vector<std::int32_t> const& levels = {});

/// TEL of one run. Contract: the policy finishes the instance, as all without thresholds do.
std::int64_t total_latency(std::string_view id, OwnedInstance const& instance,
                           std::uint64_t seed = 1, std::int64_t number = 0);

/// Mean TEL over all orders of the requests in the file, each with the same seed: exact for a
/// policy whose only draw is one random order, as every order then meets every draw once.
/// Contract: at most 8 requests.
Quotient mean_over_orders(std::string_view id, OwnedInstance const& instance);

/// Requests at 0 with lengths in [lower, upper], prompts up to `most_prompt`, all of which fit.
/// `common`: one prompt for all.
struct RandomShape
{
    std::int64_t most_requests = 8;
    Tokens most_memory = 20;
    bool common_prompt = false, known_lengths = true;
};
OwnedInstance random_instance(std::mt19937_64& rng, RandomShape const& shape);

/// The volume bound, and the optimum of a small instance proven by branch and bound.
std::int64_t proven_optimum(OwnedInstance const& instance);

} // namespace crx::claims
