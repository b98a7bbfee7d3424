#include "kernels/search/search_batch.hh"
#include "kernels/base/parallel.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

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

SearchBatch::SearchBatch(std::vector<OwnedInstance> const& instances) : first{0}
{
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto const& instance = instances[i];
        if (auto const refusal = search_refusal(instance); !refusal.empty())
            throw std::invalid_argument("instance " + std::to_string(i) + ": " + refusal);
        for (std::size_t k = 0; k < instance.output.size(); ++k)
            requests.push_back({instance.prompt[k], instance.output[k],
                                static_cast<std::int32_t>(instance.arrival[k])});
        first.push_back(static_cast<std::int64_t>(requests.size()));
        memory.push_back(static_cast<std::int32_t>(instance.memory));
    }
}

std::vector<FoundStarts> best_of_runs(std::vector<OwnedInstance> const& instances,
                                      std::vector<FoundStarts> const& found, int runs)
{
    CRX_EXPECT(runs >= 1 && found.size() == instances.size() * static_cast<std::size_t>(runs));
    std::vector<FoundStarts> best(instances.size());
    crx::parallel_for(std::size_t{0}, instances.size(), [&](std::size_t i) {
        auto const* const of_instance = found.data() + i * static_cast<std::size_t>(runs);
        best[i] =
            *std::min_element(of_instance, of_instance + runs, [](auto const& a, auto const& b) {
                return a.total_latency < b.total_latency;
            });
        CRX_ENSURE(confirmed(instances[i], best[i]));
    });
    return best;
}

std::vector<FoundStarts> search_orders(std::vector<OwnedInstance> const& instances,
                                       Effort const& effort)
{
    CRX_EXPECT(effort.evaluations >= 1 && effort.runs >= 1);
    SearchBatch const batch(instances);
    SearchBatchView const view{batch.requests.data(), batch.first.data(), batch.memory.data()};
    std::vector<FoundStarts> found(instances.size() * static_cast<std::size_t>(effort.runs));
    crx::parallel_for(std::size_t{0}, found.size(), [&](std::size_t unit) {
        view.run(effort, static_cast<std::int64_t>(unit), found[unit]);
    });
    return best_of_runs(instances, found, effort.runs);
}

FoundStarts search_run(OwnedInstance const& instance, Effort const& effort, int run,
                       std::function<bool()> const& stop)
{
    CRX_EXPECT(effort.evaluations >= 1 && run >= 0);
    SearchBatch const batch({instance});
    OrderSearch search(batch.requests.data(), static_cast<int>(batch.requests.size()),
                       batch.memory[0]);
    FoundStarts found;
    search.run(effort, effort.first_instance, run, found, stop);
    CRX_ENSURE(confirmed(instance, found));
    return found;
}

} // namespace crx::search
