#include "kernels/engines/list_schedule/execute_in_order.hh"

#include "kernels/engines/list_schedule/execute_list.hh"
#include "kernels/policies/arrival_order.cuh"

#include <memory>

namespace crx {

// mc-benchmark serves by arrival and index: with all arrivals at 0 that is the order of a copy.
// Known lengths are all that the prefix rule reads, and it cancels nobody.
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

} // namespace crx
