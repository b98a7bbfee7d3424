#pragma once

#include "analysis/sorted_f/selector.hh"
#include "kernels/policies/host_policy.hh"

namespace crx::sorted_f {

enum class Selector
{
    exact,
    scaled,
    swap,
    quantile,
    exact_together,
};
inline constexpr std::string_view selector_names[] = {"exact", "scaled", "swap", "quantile",
                                                      "exact-together"};
/// Most requests of exact_together, which looks at every set.
inline constexpr std::int64_t most_together = 16;

struct Settings
{
    Selector selector = Selector::exact;
    std::int64_t cells = 100;           ///< of `scaled`: B / epsilon
    std::uint64_t seed = 0, number = 0; ///< of `quantile`
};

/// Phase 1 of WANG Algorithm 1: batches of least F one after another, each by ascending (o, index),
/// as indices of the instance. Nothing if the selector's table would need more than a gibibyte, or
/// there are more requests than most_together.
/// Contract: all arrivals at 0, every request fits.
std::optional<std::vector<Batch>> batches(OwnedInstance const& instance, Settings const& settings);
/// The same of items in the order of their index.
std::optional<std::vector<Batch>> batches(std::vector<Item> items, Tokens memory,
                                          Settings const& settings);

/// One batch after the other: the order of Phase 2.
std::vector<std::size_t> order_of(std::vector<Batch> const& batches);

/// The most bytes that the selector's table can take for `requests` requests of size s + o >=
/// `least_size`; 0 where it has none.
double table_bytes(Settings const& settings, std::int64_t requests, Tokens least_size,
                   Tokens memory);

/// WANG's Sorted-F: the prefix rule (docs/model.md#prefix-rule) in the order of the batches.
/// Nothing as above.
std::optional<SingleRun> execute(OwnedInstance const& instance, Settings const& settings);

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
