#include "analysis/baseline/schedule.hh"
#include "host/selftest/selftest.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/search/search_batch.hh"

#include <algorithm>

namespace crx {
namespace {

using search::Effort;
using search::FoundStarts;

/// Instances of every case that the search takes.
std::vector<OwnedInstance> searchable()
{
    std::vector<OwnedInstance> instances;
    for (auto const& test : selftest_cases())
        for (std::int64_t number = 0; number < recorded_instances; ++number)
            if (auto instance = selftest_instance(test, number);
                search::search_refusal(instance).empty())
                instances.push_back(std::move(instance));
    return instances;
}

constexpr Effort effort{400, 3, 161803398, 7};

/// Its starts are a schedule of that TEL, by code that searches nothing, and no worse than MC-SF's
/// where the search begins with that, all arrivals being 0.
bool holds(OwnedInstance const& instance, FoundStarts const& found)
{
    baseline::Starts const starts(found.start, found.start + instance.requests());
    auto const mc_sf = execute_single({ShortestFirst::kind, {}}, instance, 0, 0).outcome;
    auto const at_zero = std::ranges::all_of(instance.arrival, [](auto a) { return a == 0; });
    return !baseline::schedule_fault(instance, starts) &&
           baseline::total_latency(instance, starts) == found.total_latency &&
           (!at_zero || found.total_latency <= mc_sf.total_latency);
}

/// The best of an instance's runs, one run after the other.
FoundStarts run_by_run(OwnedInstance const& instance, std::uint64_t number)
{
    auto one = effort;
    one.first_instance += number;
    FoundStarts best;
    for (int run = 0; run < effort.runs; ++run) {
        auto const found = search_run(instance, one, run, [] { return false; });
        if (run == 0 || found.total_latency < best.total_latency) best = found;
    }
    return best;
}

std::string name_of(std::size_t i) { return "instance " + std::to_string(i); }

} // namespace

SelftestResult selftest_search_cpu()
{
    SelftestResult result;
    auto const instances = searchable();
    auto const found = search_orders(instances, effort);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        result.count(holds(instances[i], found[i]),
                     "search over orders: " + name_of(i) + ": not a schedule of its latency");
        result.count(run_by_run(instances[i], i) == found[i],
                     "search over orders: " + name_of(i) + ": run by run another schedule");
    }
    return result;
}

SelftestResult selftest_search_cuda()
{
    SelftestResult result;
    auto const instances = searchable();
    auto const host = search_orders(instances, effort);
    auto const device = search_orders_device(instances, effort);
    for (std::size_t i = 0; i < instances.size(); ++i)
        result.count(device[i] == host[i],
                     "cuda: search over orders: " + name_of(i) + ": schedules differ");
    return result;
}

} // namespace crx
