#include "kernels/backends/cpu/thread_share.hh"
#include "kernels/base/parallel.hh"

#include <algorithm>
#include <chrono>
#include <memory>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

namespace crx {
namespace {

/// One thread's part: blocks of instances that take milliseconds, so that threads end together.
void work(LaunchWatch& watch, ThreadShare& share, std::int64_t first_block, std::int64_t widest)
{
    constexpr auto short_time = std::chrono::milliseconds(2);
    for (auto size = first_block;;) {
        auto const block = watch.next(size);
        if (block.count == 0) return;
        auto const begin = std::chrono::steady_clock::now();
        auto const done = share.execute(block);
        watch.finish({block.first, done});
        if (done < block.count) return watch.leave(block.first + done);
        auto const time = std::chrono::steady_clock::now() - begin;
        if (time < short_time) size *= 2;
        // A batch that is cut takes as long as a whole one.
        bool const one_batch = widest > 1 && size <= widest;
        if (time > (one_batch ? 40 : 4) * short_time && size > 1) size /= 2;
    }
}

} // namespace

Launched launch_host(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    CellEngines const engines(cell, Processor::cpu);
    HostGenerator const generator(view_of(cell.workload));
    LaunchWatch watch(range, stop_condition);
    auto const threads = tbb::this_task_arena::max_concurrency();
    auto const fair = std::max<std::int64_t>(range.count / threads, 1); // a thread's share
    auto const first = std::min<std::int64_t>(first_block(engines), fair);
    tbb::enumerable_thread_specific<std::unique_ptr<ThreadShare>> shares;
    crx::parallel_for(0, threads, [&](int) {
        auto& share = shares.local();
        if (!share) share = std::make_unique<ThreadShare>(cell, engines, generator, watch);
        work(watch, *share, first, widest_batch(engines));
    });
    Launched launched{Tally(cell.policies.size()), watch.count(), {}};
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        launched.engines.push_back(engines.runs[k].name(Processor::cpu));
    if (launched.count > 0)
        for (auto const& share : shares) share->add_to(launched.tally);
    return launched;
}

Tally launch_host(Cell const& cell, InstanceRange range)
{
    return launch_host(cell, range, StopCondition{}).tally;
}

} // namespace crx
