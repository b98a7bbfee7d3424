#pragma once

#include "kernels/engines/cell.hh"

#include <functional>
#include <optional>

namespace crx::worst {

/// The compositions among which a search looks: exact counts of each output length in random
/// order, no prompts, all told [the shortest, the longest], everything at 0.
struct CompositionSpace
{
    std::vector<std::int32_t> lengths; ///< ascending
    std::int64_t requests = 0;         ///< n
    Tokens memory = 0;                 ///< M
};

/// How many requests have each length; the sum is n.
using Composition = std::vector<std::int64_t>;

/// `x`: for each length the third root of its weight, in [0, 1]. Weights are divided by their sum,
/// so that they lie on the simplex, small shares finely.
Composition composition_at(CompositionSpace const& space, std::vector<double> const& x);

/// The composition as a cell of one policy, run by cohorts where its engines prefer them.
Cell cell_of(CompositionSpace const& space, Composition const& composition,
             PolicySpec const& policy, BaselineKind over, std::uint64_t seed);

struct CompositionSettings
{
    PolicySpec policy;
    BaselineKind over = BaselineKind::h_sf; ///< h_sf or volume
    std::int64_t instances = 16;    ///< of each composition: the same numbers under the same seed
    std::int64_t evaluations = 500; ///< compositions looked at
    std::uint64_t seed = 1;         ///< of instances and of the optimiser
    std::function<bool()> stop = {};
    /// Runs instances 0 .. count - 1 of a cell.
    std::function<Tally(Cell const&, std::int64_t)> launch;
};

struct CompositionFound
{
    Composition composition;
    double ratio = 0; ///< of means, over the instances that the search used: biased upwards
    std::int64_t evaluations = 0;
};

/// Looks for the composition that makes the policy's ratio of means largest: controlled random
/// search with local mutation (Kaelo and Ali 2006) for two thirds of the evaluations, then Sbplx
/// (Rowan 1990) from the best, both of NLopt. All compositions meet the same random words, so their
/// differences are those of the compositions. Repeats exactly unless it is stopped. Nothing where
/// the policy finishes no instance. Contract: every request fits; evaluations >= 10.
std::optional<CompositionFound>
search_compositions(CompositionSpace const& space, CompositionSettings const& settings,
                    std::function<void(CompositionFound const&)> const& on_better = {});

} // namespace crx::worst
