#pragma once

#include "kernels/cpu/single.hh"

#include <string>
#include <vector>

namespace crx {

/// The name of a policy that serves in an order of the user's own, by the prefix rule with true
/// lengths (docs/model.md#prefix-rule): the column `order` of an instance file, or a function in
/// Python.
inline constexpr char const* own_order_id = "own-order";

/// An order as places, the least first and of equal ones the earlier request, as indices.
std::vector<std::size_t> order_of_places(std::vector<std::int64_t> const& places);

/// Throws InputError "PLACE: why" unless `order` holds each index below n once.
void require_order(std::vector<std::size_t> const& order, std::size_t n, std::string const& place);

/// The prefix rule in an order. Throws InputError "PLACE: why" where it is none, where a request
/// arrives later than 0 or where the clock is affine.
SingleRun execute_own_order(OwnedInstance const& instance, std::vector<std::size_t> const& order,
                            std::string const& place);

} // namespace crx
