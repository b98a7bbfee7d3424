#pragma once

#include "host/experiment/experiment.hh"
#include "kernels/cpu/single.hh"
#include "kernels/policies/offline_order.hh"

#include <functional>
#include <map>
#include <memory>
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

/// Makes an order: indices of the requests, the one to be served first first. A function of its
/// arguments alone. Several threads call it at once. What it throws ends the sweep.
using OrderFunction = std::function<std::vector<std::size_t>(
    Requests const& requests, std::uint64_t seed, std::int64_t instance)>;

/// Functions of the program that reads an experiment, by the label of the policy `own-order`
/// that each is. A store keeps a policy's label and digest, and not the function.
using OwnOrders = std::map<std::string, OrderFunction>;

/// The experiment with these functions as its policies own-order; its cells can then be made.
Experiment with_own_orders(Experiment const& experiment, OwnOrders const& own);

/// A function as a policy of sweeps.
class OwnOrder : public OfflineOrder
{
  public:
    /// `digest` tells it from other functions.
    OwnOrder(std::string label, std::string digest, OrderFunction function);

    /// Throws InputError where the function gives no order.
    std::vector<std::size_t> order(Requests const& requests, std::uint64_t seed,
                                   std::int64_t instance) const override;
    std::vector<std::pair<std::string, std::string>> identity() const override;

  private:
    std::string label_, digest_;
    OrderFunction function_;
};

} // namespace crx
