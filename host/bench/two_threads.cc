#include "host/bench/two_threads.hh"

#include "host/bench/measure.hh"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

namespace crx {
namespace {

double process_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A chain of products in registers, some hundredths of a second long.
std::uint64_t arithmetic(std::uint64_t x)
{
    for (int k = 0; k < 20'000'000; ++k) x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

struct Best
{
    double wall = 1e300, processor = 1e300;
    void take(double wall_spent, double processor_spent)
    {
        wall = std::min(wall, wall_spent);
        processor = std::min(processor, processor_spent);
    }
};

template <class Work>
void time_on(std::size_t threads, Best& best, Work const& work)
{
    tbb::global_control const limit(tbb::global_control::max_allowed_parallelism, threads);
    auto const wall = wall_seconds(), processor = process_seconds();
    work();
    best.take(wall_seconds() - wall, process_seconds() - processor);
}

} // namespace

ThreadScaling measure_two_threads(Cell const& cell, std::int64_t instances, double budget)
{
    Best engine[2], machine[2];
    ThreadScaling scaling;
    std::atomic<std::uint64_t> seen{0}; // so that the arithmetic is not left out
    auto const end = wall_seconds() + budget;
    for (; scaling.turns < 3 || wall_seconds() < end; ++scaling.turns)
        for (std::size_t threads = 1; threads <= 2; ++threads) {
            time_on(threads, engine[threads - 1], [&] { launch_host(cell, {0, instances}); });
            time_on(threads, machine[threads - 1], [&] {
                tbb::parallel_for(0, 2, [&](int k) { seen += arithmetic(std::uint64_t(k)); });
            });
        }
    scaling.engine = engine[0].wall / engine[1].wall;
    scaling.machine = machine[0].wall / machine[1].wall;
    scaling.by_processor_time = 2 * engine[0].processor / engine[1].processor;
    return scaling;
}

} // namespace crx
