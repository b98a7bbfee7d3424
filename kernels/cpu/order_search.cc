#include "kernels/cpu/order_search.hh"

#include "kernels/policies/arrival_order.cuh"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace crx::search {
namespace {

constexpr std::int64_t most_tokens = 1 << 24;

/// By the request engine: where each request arrives when it is to start, first come, first served
/// starts each at once if and only if the schedule fits.
bool confirmed(OwnedInstance const& instance, FoundStarts const& found)
{
    std::vector<std::size_t> by_start(instance.output.size());
    std::iota(by_start.begin(), by_start.end(), std::size_t{0});
    std::ranges::stable_sort(by_start, {}, [&](std::size_t i) { return found.start[i]; });
    OwnedInstance given;
    given.memory = instance.memory;
    std::int64_t latency = 0, outputs = 0;
    for (auto const i : by_start) {
        if (found.start[i] < instance.arrival[i]) return false;
        given.arrival.push_back(found.start[i]);
        given.prompt.push_back(instance.prompt[i]);
        given.output.push_back(instance.output[i]);
        outputs += instance.output[i];
        latency += found.start[i] + instance.output[i] - instance.arrival[i];
    }
    given.lower = given.upper = given.output;
    auto const outcome = execute_single({ArrivalOrder::kind, {}}, given, 0, 0).outcome;
    return outcome.finished != 0 && outcome.total_latency == outputs &&
           latency == found.total_latency;
}

} // namespace

std::string search_refusal(OwnedInstance const& instance)
{
    auto const n = instance.requests();
    if (n < 1 || n > most_requests)
        return std::to_string(n) + " requests; 1 .. " + std::to_string(most_requests) +
               " are accepted";
    if (instance.clock.affine()) return "a clock that does not count rounds";
    if (instance.memory >= most_tokens)
        return "M = " + std::to_string(instance.memory) + "; below 2^24 is accepted";
    std::int64_t outputs = 0, last_arrival = 0;
    for (std::size_t i = 0; i < instance.output.size(); ++i) {
        auto const s = instance.prompt[i], o = instance.output[i];
        auto const request = "request " + std::to_string(i);
        if (s < 0 || o < 1) return request + " has a prompt below 0 or an output below 1";
        if (std::int64_t{s} + o > instance.memory)
            return request + " does not fit: s + o = " + std::to_string(std::int64_t{s} + o) +
                   ", M = " + std::to_string(instance.memory);
        outputs += o;
        last_arrival = std::max(last_arrival, instance.arrival[i]);
    }
    if (last_arrival >= most_tokens || outputs + last_arrival >= most_tokens)
        return "outputs and last arrival of 2^24 or more in all";
    return {};
}

FoundStarts search_run(OwnedInstance const& instance, Effort const& effort, int run,
                       std::function<bool()> const& stop)
{
    CRX_EXPECT(effort.evaluations >= 1 && run >= 0);
    if (auto const refusal = search_refusal(instance); !refusal.empty())
        throw std::invalid_argument(refusal);
    std::vector<Lengths> requests;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        requests.push_back({instance.prompt[i], instance.output[i],
                            static_cast<std::int32_t>(instance.arrival[i])});
    OrderSearch search(requests.data(), static_cast<int>(requests.size()),
                       static_cast<std::int32_t>(instance.memory));
    FoundStarts found;
    search.run(effort, run, found, stop);
    CRX_ENSURE(confirmed(instance, found));
    return found;
}

} // namespace crx::search
