#include "kernels/engines/lazy_instances.hh"
#include "kernels/engines/lists/execute_list.hh"
#include "kernels/engines/rows.hh"
#include "kernels/policies/arrival_order.cuh"

#include <memory>

namespace crx {

// mc-benchmark serves by arrival and index: with all arrivals at 0 that is the order of a copy.
// Known lengths are all that the prefix rule reads, and it cancels no request.
Outcome execute_in_order(Requests const& requests, std::vector<std::size_t> const& order,
                         ScheduleLog const& log)
{
    CRX_EXPECT(order.size() == static_cast<std::size_t>(requests.n));
    std::vector<Instant> arrival(order.size(), 0), start(order.size()), completion(order.size());
    std::vector<std::int32_t> prompt, output;
    for (auto const i : order) {
        CRX_EXPECT(requests.arrival[i] == 0);
        prompt.push_back(requests.prompt[i]);
        output.push_back(requests.output[i]);
    }
    Requests const copy{requests.n,    requests.memory, arrival.data(), prompt.data(),
                        output.data(), output.data(),   output.data(),  requests.clock};
    auto own = log;
    if (log.start != nullptr) own.start = start.data();
    if (log.completion != nullptr) own.completion = completion.data();
    auto const bytes = host_engine_bytes({ArrivalOrder::kind, {}}, requests.n);
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    auto const outcome = execute_on_host(ArrivalOrder{}, copy, 0, 0, block.get(), bytes, own);
    for (std::size_t place = 0; place < order.size(); ++place) {
        if (log.start != nullptr) log.start[order[place]] = start[place];
        if (log.completion != nullptr) log.completion[order[place]] = completion[place];
    }
    return outcome;
}

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

    /// An order may take seconds to make: log.abort_asked is asked before and after.
    void execute(InstanceRange range, LazyInstances& instances, ScheduleLog const& log,
                 std::optional<Outcome>* outcomes) override
    {
        outcomes->emplace();
        if (log.should_abort()) return;
        auto const& requests = instances.requests(range.first);
        auto const order = order_.order(requests, seed_, range.first);
        if (!log.should_abort()) *outcomes = execute_in_order(requests, order, log);
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
