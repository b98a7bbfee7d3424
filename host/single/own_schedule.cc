#include "host/single/own_schedule.hh"

#include "host/error.hh"
#include "host/single/own_order.hh"

#include <algorithm>

namespace crx {

void add_own_schedule(baseline::Hindsight& result, OwnedInstance const& instance,
                      std::string const& id, std::vector<std::size_t> const& order,
                      std::string const& place)
{
    auto const run = execute_own_order(instance, order, place);
    if (run.outcome.finished == 0)
        throw InputError(place + ": " + id + " does not finish before 2^62 rounds");
    if (auto const fault = baseline::schedule_fault(instance, run.start))
        throw std::logic_error(id + ": no schedule: " + *fault);
    auto const latency = run.outcome.total_latency;
    result.upper = result.schedules.empty() ? latency : std::min(result.upper, latency);
    result.schedules.push_back({id, run.start, latency});
}

} // namespace crx
