#include "host/experiment/own_orders.hh"

#include "host/experiment/sweep_plan.hh"
#include "host/single/own_order.hh"

namespace crx {

Experiment with_own_orders(Experiment const& experiment, OwnOrders const& own)
{
    auto detail = std::make_shared<Experiment::Detail>(*experiment.detail);
    detail->own_orders = own;
    auto with = experiment;
    with.detail = std::move(detail);
    return with;
}

OwnOrder::OwnOrder(std::string label, std::string digest, OrderFunction function)
    : label_(std::move(label)), digest_(std::move(digest)), function_(std::move(function))
{
}

std::vector<std::size_t> OwnOrder::order(Requests const& requests, std::uint64_t seed,
                                         std::int64_t instance) const
{
    auto order = function_(requests, seed, instance);
    require_order(order, static_cast<std::size_t>(requests.n), "policy " + label_);
    return order;
}

std::vector<std::pair<std::string, std::string>> OwnOrder::identity() const
{
    return {{"id", own_order_id}, {"label", label_}, {"digest", digest_}};
}

} // namespace crx
