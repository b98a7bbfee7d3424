#pragma once

#include "analysis/worst/exhaustive/exact_cost.hh"

#include <optional>

namespace crx::worst {

/// What an exhaustive search divides by.
struct ExactDenominator
{
    bool volume = false;           ///< the volume bound, or the release bound with arrivals
    std::optional<ExactCost> cost; ///< a policy; neither: the optimum
};

/// What the instances of some multisets have shown. Parts add up, in any cut.
struct Exhausted
{
    std::int64_t multisets = 0, instances = 0;
    std::int64_t unfinished = 0; ///< instances that a policy does not finish: they do not count
    std::int64_t endless = 0;    ///< of which a policy's mean is no finite sum: nor do they
    std::int64_t at_maximum = 0;
    std::optional<ExactFraction> maximum;
    /// Sum modulo 2^64 of FNV-1a over a line for each instance: every request as "arrival prompt
    /// output lower upper", joined by ';', then '|', the numerator, '|' and the denominator ("-":
    /// not finished, "~": endless).
    std::uint64_t hash = 0;
    std::vector<OwnedInstance> worst; ///< the first that have the maximum

    /// Adds what came after it. Keeps `most_worst` instances.
    void add(Exhausted const& later);
    static constexpr std::size_t most_worst = 4;
};

/// All instances of a class with exactly its n and its M, up to the order of requests where it does
/// not matter: each with its exact ratio.
class ExhaustiveSearch
{
  public:
    /// Throws std::overflow_error where the multisets have no 62 bits.
    ExhaustiveSearch(InstanceClass const& of, ExactCost numerator, ExactDenominator denominator);

    std::int64_t multisets() const { return lists_.multisets(); }

    /// Those of the multisets first .. end - 1, on all threads; the result does not depend on them.
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

} // namespace crx::worst
