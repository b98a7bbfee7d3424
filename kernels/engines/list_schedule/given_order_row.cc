#include "kernels/engines/lazy_instances.hh"
#include "kernels/engines/list_schedule/execute_in_order.hh"
#include "kernels/engines/rows.hh"

namespace crx {
namespace {

std::string refusal(PolicySpec const&, EngineCase const& c)
{
    return c.order == nullptr ? "no order is made beforehand for the policy" : "";
}

double cost(PolicySpec const&, EngineCase const&) { return 1; }

/// Allocates for every instance, as the orders do.
class GivenOrderRunner final : public BatchRunner
{
  public:
    GivenOrderRunner(OfflineOrder const& order, std::uint64_t seed) : order_(order), seed_(seed) {}

    /// An order may take seconds to make: log.abandon is asked before and after.
    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                 std::optional<Outcome>* outcomes) override
    {
        outcomes->emplace();
        if (log.abandons()) return;
        auto const& requests = instances.requests(range.first);
        auto const order = order_.order(requests, seed_, range.first);
        if (!log.abandons()) *outcomes = execute_in_order(requests, order, log);
    }

  private:
    OfflineOrder const& order_;
    std::uint64_t seed_;
};

std::unique_ptr<BatchRunner> make(PolicySpec const&, EngineCase const& c)
{
    return std::make_unique<GivenOrderRunner>(*c.order, c.workload.seed);
}

} // namespace

constinit Engine const given_order_engine{
    .name = "given-order",
    .summary = "the list schedule of an order that the policy makes of the whole instance",
    .processor = Processor::cpu,
    .law = RandomLaw::request,
    .portable = true,
    .own_refusal = refusal,
    .cost = cost,
    .make = make,
};

} // namespace crx
