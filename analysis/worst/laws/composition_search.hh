#pragma once

#include "kernels/engines/cell.hh"

#include <functional>
#include <optional>

namespace crx::worst {

/// A range of whole numbers; a single one is not searched over.
struct WholeRange
{
    std::int64_t low = 0, high = 0;
};

/// The compositions among which a search looks: exact counts of each output length, in random
/// order, one prompt length, one interval told to all, everything at 0.
struct CompositionSpace
{
    std::vector<std::int32_t> lengths; ///< ascending; the lower end told is the first
    WholeRange requests;               ///< n
    WholeRange prompt;                 ///< s
    WholeRange upper;                  ///< the upper end told
    Tokens memory = 0;                 ///< M
};

/// One of them.
struct Composition
{
    std::vector<std::int64_t> counts; ///< of each length, sum n
    std::int64_t requests = 0;
    std::int32_t prompt = 0, upper = 0;
};

/// Numbers that say which: one for each length, and for each of n, s and u that is a range.
std::size_t dimensions(CompositionSpace const& space);

/// Numbers of [0, 1]: the roots of third order of the lengths' weights, which are divided by their
/// sum so that they lie on the simplex, small shares finely; then places in the ranges of n (on a
/// logarithmic scale), s and u. Contract: there are dimensions(space) of them.
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
