#include "kernels/engines/list_schedule/execute_in_order.hh"

#include "kernels/engines/list_schedule/execute_list.hh"
#include "kernels/engines/requests/execute_host.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>
#include <memory>

namespace crx {

// mc-benchmark serves by arrival and index: with all arrivals at 0 that is the order of a copy.
// Known lengths are all that the prefix rule reads.
Outcome execute_in_order(Requests const& requests, std::vector<std::size_t> const& order)
{
    CRX_EXPECT(order.size() == static_cast<std::size_t>(requests.n));
    std::vector<Instant> arrival(order.size(), 0);
    std::vector<std::int32_t> prompt, output;
    for (auto const i : order) {
        CRX_EXPECT(requests.arrival[i] == 0);
        prompt.push_back(requests.prompt[i]);
        output.push_back(requests.output[i]);
    }
    Requests const copy{requests.n,    requests.memory, arrival.data(), prompt.data(),
                        output.data(), output.data(),   output.data(),  requests.clock};
    auto const bytes = std::max(engine_bytes({ArrivalOrder::kind, {}}, requests.n),
                                execute_list_bytes(requests.n));
    auto const block = std::make_unique_for_overwrite<std::byte[]>(bytes);
    Arena arena(block.get(), bytes);
    if (is_list_schedule(ArrivalOrder{}, copy))
        return execute_list(ArrivalOrder{}, copy, 0, 0, arena);
    return execute_requests(ArrivalOrder{}, copy, 0, 0, arena);
}

} // namespace crx
