#include "kernels/backends/cuda/card_times.hh"

#include "kernels/base/seconds_since.hh"

#include <cuda_runtime.h>

namespace crx {
namespace {

bool measuring = false;
CardTimes times;
CardTask running = CardTask::other;
std::chrono::steady_clock::time_point since;

/// Charges the time since the last change to the task that ran, and goes on with `task`. A fault of
/// the GPU is found by whoever asks next.
void change_to(CardTask task)
{
    cudaDeviceSynchronize();
    times.seconds[static_cast<int>(running)] += seconds_since(since);
    since = std::chrono::steady_clock::now();
    running = task;
}

} // namespace

void measure_card_times(bool on)
{
    measuring = on;
    if (!on) return;
    times = {};
    running = CardTask::other;
    since = std::chrono::steady_clock::now();
}

CardTimes card_times()
{
    if (measuring) change_to(running);
    return times;
}

TimedCardTask::TimedCardTask(CardTask task) : before_(running)
{
    if (measuring) change_to(task);
}
TimedCardTask::~TimedCardTask()
{
    if (measuring) change_to(before_);
}

bool measures_card_times() { return measuring; }
void count_lost(std::int64_t run, std::int64_t lost)
{
    times.run += run;
    times.lost += lost;
}

} // namespace crx
