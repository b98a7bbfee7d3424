#include "host/experiment/own_order.hh"

#include "host/error.hh"
#include "host/experiment/sweep_plan.hh"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crx {

std::vector<std::size_t> order_of_places(std::vector<std::int64_t> const& places)
{
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return places[i]; });
    return order;
}

void require_order(std::vector<std::size_t> const& order, std::size_t n, std::string const& place)
{
    if (order.size() != n)
        throw InputError(fmt::format("{}: an order of {} requests for an instance of {}", place,
                                     order.size(), n));
    std::vector<bool> seen(n);
    for (auto const i : order) {
        if (i >= n)
            throw InputError(fmt::format("{}: the order names request {}; they are 0 .. {}", place,
                                         static_cast<std::int64_t>(i), n - 1));
        if (seen[i])
            throw InputError(fmt::format("{}: the order names request {} twice", place, i));
        seen[i] = true;
    }
}

SingleRun execute_own_order(OwnedInstance const& instance, std::vector<std::size_t> const& order,
                            std::string const& place)
{
    if (std::ranges::any_of(instance.arrival, [](Instant a) { return a != 0; }))
        throw InputError(place + ": " + own_order_id + " needs every arrival at 0");
    if (instance.clock.affine())
        throw InputError(place + ": " + own_order_id + " runs under the unit clock");
    require_order(order, instance.output.size(), place);
    return execute_in_order(instance, order);
}

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

OwnDecisions::OwnDecisions(std::string label, std::string digest, bool knows_lengths,
                           DecideFunction function)
    : label_(std::move(label)), digest_(std::move(digest)), knows_lengths_(knows_lengths),
      function_(std::move(function))
{
}

Outcome OwnDecisions::run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                          ScheduleLog const& log) const
{
    struct Called final : Decider
    {
        Decision decide(Situation const& situation) override
        {
            return (*function)(*requests, seed, instance, situation, std::exchange(first, false));
        }
        DecideFunction const* function;
        Requests const* requests;
        std::uint64_t seed;
        std::int64_t instance;
        bool first = true;
    };
    auto seen = requests;
    if (!knows_lengths_) seen.output = nullptr;
    Called called;
    called.function = &function_;
    called.requests = &seen;
    called.seed = seed;
    called.instance = instance;
    try {
        return execute_decisions(requests, called, log);
    } catch (DecisionError const& error) {
        throw InputError("policy " + label_ + ": " + error.what());
    }
}

std::vector<std::pair<std::string, std::string>> OwnDecisions::identity() const
{
    return {{"id", own_decisions_id},
            {"label", label_},
            {"digest", digest_},
            {"knows_lengths", knows_lengths_ ? "true" : "false"}};
}

std::vector<std::pair<std::string, std::string>> OwnOrder::identity() const
{
    return {{"id", own_order_id}, {"label", label_}, {"digest", digest_}};
}

} // namespace crx
