#pragma once

#include "analysis/sorted_lp/sorted_lp.hh"
#include "kernels/policies/host_policy.hh"

namespace crx::sorted_lp {

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
