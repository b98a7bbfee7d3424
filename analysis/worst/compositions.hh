#pragma once

#include "analysis/worst/instance_class.hh"
#include "kernels/engines/cell.hh"

#include <functional>
#include <optional>
#include <vector>

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
    std::int64_t evaluations = 500; ///< compositions looked at, in all restarts
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
    std::int64_t restarts = 1; ///< searches that began elsewhere
    std::int64_t agreeing = 1; ///< of them, whose best is within a thousandth of this
};

/// Looks for the composition that makes the policy's ratio of means largest: controlled random
/// search with local mutation (Kaelo and Ali 2006) for two thirds of the evaluations, then Sbplx
/// (Rowan 1990) from the best, both of NLopt; this three times with a third of the evaluations
/// each, where these are at least 20 times the number of lengths and one more. All compositions
/// meet the same random words, so their differences are those of the compositions. Repeats exactly
/// unless it is stopped. Nothing where the policy finishes no instance. Contract: every request
/// fits; evaluations >= 10.
std::optional<CompositionFound>
search_compositions(CompositionSpace const& space, CompositionSettings const& settings,
                    std::function<void(CompositionFound const&)> const& on_better = {});

/// One request of an exhaustive search. Requests are compared field by field, in this order.
struct RequestKind
{
    Instant arrival = 0;
    std::int32_t prompt = 0, output = 1, lower = 1, upper = 1;

    auto operator<=>(RequestKind const&) const = default;
};

/// All instances of a class with exactly its n and its M, as multisets: requests that may stand
/// beside each other are in one list, in ascending order, and an instance takes n from one list.
/// Multisets have ranks: list by list, each in lexicographic order.
class RequestLists
{
  public:
    /// Throws std::overflow_error where there are 2^62 multisets or more, or a million kinds of
    /// requests.
    explicit RequestLists(InstanceClass const& of);

    std::int64_t multisets() const { return multisets_; }

    /// Calls visit for those of the multisets first .. end - 1, each in ascending order, that have
    /// an arrival at 0; the others are the same with all arrivals later. Contract: 0 <= first <=
    /// end <= multisets().
    void for_each(std::int64_t first, std::int64_t end,
                  std::function<void(std::vector<RequestKind> const&)> const& visit) const;

  private:
    std::vector<std::size_t> unrank(std::vector<RequestKind> const& list, std::int64_t rank) const;

    std::size_t requests_;
    std::vector<std::vector<RequestKind>> lists_;
    std::int64_t multisets_ = 0;
};

/// Calls visit for orders of a multiset: of those that become each other by exchanges of neighbours
/// whose order does not matter, the lexicographically least alone. That is the order in which no
/// request could stand before an earlier, greater one (Anisimov and Knuth 1979, Theorem 3.1).
void for_each_order(std::vector<RequestKind> const& multiset,
                    std::function<bool(RequestKind const&, RequestKind const&)> const& matters,
                    std::function<void(std::vector<RequestKind> const&)> const& visit);

} // namespace crx::worst
