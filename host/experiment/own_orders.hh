#pragma once

#include "host/experiment/experiment.hh"
#include "kernels/policies/offline_order.hh"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace crx {

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
