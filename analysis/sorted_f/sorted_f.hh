#pragma once

#include "analysis/sorted_f/selector.hh"

namespace crx::sorted_f {

enum class Selector
{
    exact,
    scaled,
    swap,
    quantile,
};
inline constexpr std::string_view selector_names[] = {"exact", "scaled", "swap", "quantile"};

struct Settings
{
    Selector selector = Selector::exact;
    std::int64_t cells = 100;           ///< of `scaled`: B / epsilon
    std::uint64_t seed = 0, number = 0; ///< of `quantile`
};

/// Phase 1 of WANG Algorithm 1: batches of least F one after another, each by ascending (o, index),
/// as indices of the instance. Nothing if the selector's table would need more than a gibibyte.
/// Contract: all arrivals at 0, every request fits.
std::optional<std::vector<Batch>> batches(OwnedInstance const& instance, Settings const& settings);

/// WANG's Sorted-F: the prefix rule (SPEC section 3) in the order of the batches. Nothing as above.
std::optional<SingleRun> execute(OwnedInstance const& instance, Settings const& settings);

/// The prefix rule with known lengths in any given order, all arrivals at 0: order[0] goes first.
SingleRun execute_order(OwnedInstance const& instance, std::vector<std::size_t> const& order);

} // namespace crx::sorted_f
