#include "analysis/baseline/schedule.hh"
#include "host/selftest/selftest.hh"
#include "host/selftest/selftest_cases.hh"
#include "kernels/cpu/order_search.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>

namespace crx {
namespace {

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

} // namespace

SelftestResult selftest_search()
{
    SelftestResult result;
    auto const instances = searchable();
    for (std::size_t i = 0; i < instances.size(); ++i)
        for (int run = 0; run < 3; ++run) {
            auto const found =
                search::search_run(instances[i], {400, 161803398}, run, [] { return false; });
            result.count(holds(instances[i], found),
                         "search over orders: instance " + std::to_string(i) + ", run " +
                             std::to_string(run) + ": not a schedule of its latency");
        }
    return result;
}

} // namespace crx
