#pragma once

#include "analysis/sorted_f/relaxation.hh"
#include "kernels/cpu/single.hh"
#include "kernels/policies/host_policy.hh"

namespace crx::sorted_lp {

/// The requests by (y, o, index), y their mean starts in 2^-20 rounds (WANG Algorithm 6, lines
/// 2-5). Contract: one mean start a request.
std::vector<std::size_t> sorted_lp_order(OwnedInstance const& instance,
                                         std::vector<double> const& mean_start);

/// WANG Algorithm 7, lines 5-18: again and again a batch of sum (s + o) <= M is filled from the
/// waiting requests by (y, o, index), skipping what does not fit, then one inside is exchanged for
/// one outside while that fits and lowers F, that is the sum of outputs: both sides scanned by
/// (y, o, index), the first improving pair taken, and from the start again. Each batch goes to the
/// order by (o, y, index). Contract: as above, every request fits.
std::vector<std::size_t> lp_swap_order(OwnedInstance const& instance,
                                       std::vector<double> const& mean_start);

/// What a run came from.
struct SortedLpRun
{
    SingleRun run;
    Relaxation relaxation;
};

/// WANG's Sorted-LP and LP-Swap: the prefix rule (docs/model.md#prefix-rule) in these orders. The
/// optimum of the program is not unique, and the order depends on which solution is found: compare
/// values, not orders. Contract: all arrivals at 0, every request fits.
SortedLpRun execute_sorted_lp(OwnedInstance const& instance,
                              RelaxationSettings const& settings = {});
SortedLpRun execute_lp_swap(OwnedInstance const& instance, RelaxationSettings const& settings = {});

/// WANG's two policies that order by the linear program.
enum class Rule
{
    sorted_lp,
    lp_swap
};
inline constexpr char const* rule_ids[] = {"sorted-lp", "lp-swap"};

/// Sorted-LP or LP-Swap as a policy of sweeps. The program counts rounds, whatever the clock. An
/// order takes seconds for a hundred requests and minutes for thousands, and cannot be interrupted.
class SortedLpOrder : public OfflineOrder
{
  public:
    explicit SortedLpOrder(Rule rule) : rule_(rule) {}

    std::vector<std::size_t> order(Requests const& requests, std::uint64_t seed,
                                   std::int64_t instance) const override;
    std::vector<std::pair<std::string, std::string>> identity() const override;

  private:
    Rule rule_;
};

} // namespace crx::sorted_lp
