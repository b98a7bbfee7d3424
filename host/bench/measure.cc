#include "host/bench/measure.hh"

#include "analysis/statistics/regression.hh"
#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace crx {
namespace {

double processor_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// One contender's repetitions so far.
struct Series
{
    explicit Series(Contender const& contender) : batch(contender.group) {}

    std::vector<double> seconds; ///< an instance
    std::int64_t instances = 0, events = 0;
    std::int64_t batch;

    void repeat(Contender const& contender)
    {
        for (;;) {
            auto const start = processor_seconds();
            auto const seen = contender.run(instances, batch);
            auto const spent = processor_seconds() - start;
            // Too short: what others left in caches and predictors would count. A first try only.
            if (seconds.empty() && spent < 0.02 && batch < std::int64_t{1} << 40) {
                batch *= spent < 0.002 ? 10 : 2;
                continue;
            }
            seconds.push_back(spent / static_cast<double>(batch));
            instances += batch;
            events += seen;
            return;
        }
    }

    Timing timing() const
    {
        auto sorted = seconds;
        std::ranges::sort(sorted);
        auto const at = [&](double p) {
            return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))];
        };
        return {at(0.5), at(0.25), at(0.75),
                static_cast<double>(events) / static_cast<double>(instances),
                static_cast<int>(sorted.size())};
    }
};

} // namespace

double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::vector<Timing> measure(std::vector<Contender> const& contenders, double budget)
{
    std::vector<Series> series(contenders.begin(), contenders.end());
    auto const end = wall_seconds() + budget;
    for (int turn = 0; turn < 51 && (turn < 3 || wall_seconds() < end); ++turn)
        for (std::size_t k = 0; k < contenders.size(); ++k) series[k].repeat(contenders[k]);
    std::vector<Timing> timings;
    for (auto const& each : series) timings.push_back(each.timing());
    return timings;
}

double growth_exponent(std::vector<double> const& x, std::vector<double> const& y)
{
    std::vector<FitPoint> points;
    for (std::size_t k = 0; k < x.size(); ++k) points.push_back({x[k], y[k], {}});
    auto const line = regress_power(points, 0.95);
    CRX_EXPECT(line.has_value());
    return line->slope;
}

} // namespace crx
