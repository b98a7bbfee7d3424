#pragma once

#include "analysis/sorted_f/sorted_f.hh"
#include "kernels/policies/host_policy.hh"

namespace crx::sorted_f {

/// Sorted-F as a policy of sweeps. `settings.seed` and `settings.number` are not read: the cell's
/// seed and the instance's number take their place.
class SortedFOrder : public OfflineOrder
{
  public:
    explicit SortedFOrder(Settings const& settings) : settings_(settings) {}

    /// Throws std::runtime_error where the selector's table would need more than a gibibyte;
    /// table_bytes tells beforehand.
    std::vector<std::size_t> order(Requests const& requests, std::uint64_t seed,
                                   std::int64_t instance) const override;
    std::vector<std::pair<std::string, std::string>> identity() const override;

  private:
    Settings settings_;
};

} // namespace crx::sorted_f
