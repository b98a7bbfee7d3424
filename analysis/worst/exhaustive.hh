#pragma once

#include "analysis/worst/compositions.hh"
#include "analysis/worst/cost.hh"

#include <optional>

namespace crx::worst {

/// Denominator of an exhaustive search.
struct ExactDenominator
{
    bool volume = false;           ///< the volume bound, or the release bound with arrivals
    std::optional<ExactCost> cost; ///< a policy; neither: the optimum
};

/// Results over the instances of some multisets. Add them in the order of the multisets.
struct Exhausted
{
    std::int64_t multisets = 0, instances = 0;
    std::int64_t unfinished = 0; ///< instances without a ratio, as a policy does not finish them
    std::int64_t endless = 0;    ///< instances without a ratio, as a mean is no finite sum
    std::int64_t at_maximum = 0;
    std::optional<ExactFraction> maximum;
    /// Sum modulo 2^64 of FNV-1a over a line for each instance: every request as "arrival prompt
    /// output lower upper", joined by ';', then '|', the numerator, '|' and the denominator ("-":
    /// not finished, "~": endless).
    std::uint64_t hash = 0;
    std::optional<OwnedInstance> worst; ///< the first that has the maximum

    /// Adds what came after it.
    void add(Exhausted const& later);
};

/// All instances of a class with exactly its n and its M, up to the order of requests where it does
/// not matter: each with its exact ratio.
class ExhaustiveSearch
{
  public:
    /// Throws std::overflow_error where the multisets have no 62 bits.
    ExhaustiveSearch(InstanceClass const& of, ExactCost numerator, ExactDenominator denominator);

    std::int64_t multisets() const { return lists_.multisets(); }

    /// Runs multisets first .. end - 1 on all threads; their number does not change the result.
    Exhausted run(std::int64_t first, std::int64_t end) const;

  private:
    Exhausted run_block(std::int64_t first, std::int64_t end) const;
    std::int64_t common_denominator(std::vector<RequestKind> const& multiset,
                                    OwnedInstance const& instance) const;

    InstanceClass class_;
    ExactCost numerator_;
    ExactDenominator denominator_;
    RequestLists lists_;
};

/// The least TEL of any schedule without cancellation of a few requests, `known` at most: depth
/// first over rounds and the requests that start in them. A branch is left where what has started,
/// with a lower bound on the rest, comes to the least known: the k-th completion of those that wait
/// comes no sooner than the k-th least output from now, nor than the memory that is left free holds
/// the k least volumes. Microseconds for n = 4, milliseconds for some with n = 8; hindsight()
/// proves more for larger ones. Contract: `known` is the TEL of a schedule; the multiset ascends,
/// n <= 32.
std::int64_t small_optimum(std::vector<RequestKind> const& multiset, Tokens memory,
                           std::int64_t known);

} // namespace crx::worst
