#include "host/sweep/measured_cost.hh"

#include <chrono>

namespace crx {

namespace {

/// What a measurement takes unless the work is done before.
constexpr double enough_seconds = 0.02;

} // namespace

Cost measure_cost(FirstInstances const& run, std::int64_t target, double most_seconds,
                  std::function<bool()> const& stop_asked)
{
    Cost cost;
    auto const all = std::chrono::steady_clock::now();
    for (std::int64_t count = 1;; count = std::min(4 * count, target)) {
        auto const begin = std::chrono::steady_clock::now();
        StopCondition stop;
        stop.stop_asked = [&] { return seconds_since(all) > most_seconds || stop_asked(); };
        stop.grace = 0;
        auto done = run({0, count}, stop);
        double const seconds = seconds_since(begin);
        if (done.count > 0)
            cost = {seconds / static_cast<double>(done.count), false, std::move(done.tally),
                    done.count, std::move(done.engines)};
        else if (cost.instances == 0)
            cost = {seconds, true, {}, 0, std::move(done.engines)};
        if (seconds >= enough_seconds || count >= target || done.count < count) return cost;
    }
}

} // namespace crx
