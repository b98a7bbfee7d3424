#pragma once

#include "host/experiment/experiment.hh"
#include "kernels/cpu/single.hh"
#include "kernels/engines/requests/decided.hh"
#include "kernels/policies/host_policy.hh"

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

/// The name of a policy of the user's own that decides while requests are served: an object in
/// Python (docs/model.md#program).
inline constexpr char const* own_decisions_id = "own-decisions";

/// Decides; `first`: for the first time in this instance. Called and thrown from as OrderFunction.
/// Where it must not know true lengths, `requests` has no outputs (a null pointer).
using DecideFunction =
    std::function<Decision(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                           Situation const& situation, bool first)>;

/// What a policy of the user's own calls: the one function that its id names.
struct OwnFunction
{
    OrderFunction order = {};
    DecideFunction decide = {};
};

/// Functions of the program that reads an experiment, by the label of the policy `own-order` or
/// `own-decisions` that each is. A store keeps a policy's label and digest, and not the function.
using OwnOrders = std::map<std::string, OwnFunction>;

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

/// Decisions of a function as a policy of sweeps.
class OwnDecisions : public HostPolicy
{
  public:
    /// `digest` tells it from other functions.
    OwnDecisions(std::string label, std::string digest, bool knows_lengths,
                 DecideFunction function);

    /// Throws InputError where the function's decision is none.
    Outcome run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                ScheduleLog const& log) const override;
    std::vector<std::pair<std::string, std::string>> identity() const override;

  private:
    std::string label_, digest_;
    bool knows_lengths_;
    DecideFunction function_;
};

} // namespace crx
