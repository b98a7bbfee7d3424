#include "kernels/base/parallel.hh"
#include "kernels/cpu/policy_run.hh"
#include "kernels/cpu/request_record.hh"
#include "kernels/model/tally.cuh"

#include <algorithm>
#include <chrono>
#include <memory>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

namespace crx {

/// One thread's share of a launch: what it runs, and what it has counted so far. An instance
/// allocates nothing, unless a policy orders offline or a baseline is the host's.
class WorkerState
{
  public:
    /// All must outlive it.
    WorkerState(Cell const& cell, CellEngines const& engines, HostGenerator const& generator,
                LaunchMonitor& watch);
    WorkerState(WorkerState const&) = delete;
    WorkerState& operator=(WorkerState const&) = delete;

    /// Runs a block and counts it; returns how many of its first instances were counted before one
    /// was given up.
    std::int64_t execute(InstanceRange block);

    void add_to(Tally& tally) const;

  private:
    /// What is counted of one policy.
    struct Counts
    {
        Counts(MeasureChoice const& choice, std::int64_t requests) : record(choice, requests) {}

        PolicySums sums;
        RequestRecord record;
        BinCounts histogram[baseline_kinds];
    };

    /// False if it was aborted, and then nothing is counted. Others up to `end` may be run with
    /// it.
    bool execute(std::int64_t instance, std::int64_t end);
    void count(std::int64_t instance, std::int64_t const* baselines);

    Cell const& cell_;
    CellEngines const& engines_;
    LaunchMonitor& watch_;
    LazyInstances instances_;
    std::vector<PolicyRun> runs_;
    Denominators denominators_;
    std::vector<Outcome const*> outcomes_; ///< of the runs, on one instance
    std::vector<Counts> counts_;           ///< of the policies
    std::vector<std::int64_t> alone_;      ///< what each request takes alone, for slowdown
    ScheduleLog log_;                      ///< asks the watch
    bool aborted_ = false;                 ///< and this was its answer
};

WorkerState::WorkerState(Cell const& cell, CellEngines const& engines,
                         HostGenerator const& generator, LaunchMonitor& watch)
    : cell_(cell), engines_(engines), watch_(watch),
      instances_(engine_case(cell, nullptr), generator, capacity_for(cell, engines)),
      denominators_(cell), outcomes_(engines.runs.size())
{
    for (auto const& run : engines.runs) runs_.emplace_back(run);
    counts_.reserve(cell.policies.size());
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        counts_.emplace_back(cell.measures, cell.workload.requests);
    for (auto& policy : counts_)
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell.baseline[b]) policy.histogram[b].open();
    log_.abort_asked = [](void* self) {
        auto& share = *static_cast<WorkerState*>(self);
        share.aborted_ = share.aborted_ || share.watch_.should_abort();
        return share.aborted_;
    };
    log_.abort_context = this;
}

std::int64_t WorkerState::execute(InstanceRange block)
{
    instances_.expect(block);
    auto const end = block.first + block.count;
    for (auto k = block.first; k < end; ++k)
        if (!execute(k, end)) return k - block.first;
    return block.count;
}

bool WorkerState::execute(std::int64_t instance, std::int64_t end)
{
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        // Only one that writes requests down is asked where measures are kept, one at a time.
        bool const measured = cell_.measures.any() && k < counts_.size();
        auto const log =
            measured ? counts_[k].record.log_from(log_, instances_.requests(instance)) : log_;
        outcomes_[k] = &runs_[k].execute(instance, end, instances_, log);
        if (aborted_) return false;
    }
    std::int64_t baselines[baseline_kinds] = {};
    auto const schedule = engines_.shortest_first;
    denominators_.compute(instance, schedule ? outcomes_[*schedule] : nullptr,
                          schedule ? runs_[*schedule].volume(instance) : std::nullopt, instances_,
                          log_, baselines);
    if (aborted_) return false;
    count(instance, baselines);
    return true;
}

void WorkerState::count(std::int64_t instance, std::int64_t const* baselines)
{
    if (cell_.measures.kept[static_cast<std::size_t>(RequestMeasure::slowdown)]) {
        auto const& r = instances_.requests(instance);
        alone_.resize(static_cast<std::size_t>(r.n));
        for (std::size_t i = 0; i < alone_.size(); ++i)
            alone_[i] = time_alone(r.clock, r.prompt[i], r.output[i]);
    }
    for (std::size_t k = 0; k < counts_.size(); ++k) {
        auto const& outcome = *outcomes_[k];
        counts_[k].sums.add(outcome, baselines, instance);
        if (cell_.measures.any())
            counts_[k].record.count(instances_.requests(instance), outcome, instance,
                                    alone_.data());
        if (outcome.finished == 0) continue;
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell_.baseline[b] && baselines[b] > 0)
                counts_[k].histogram[b].count(
                    histogram_bin(fixed_ratio(outcome.total_latency, baselines[b])));
    }
}

void WorkerState::add_to(Tally& tally) const
{
    for (std::size_t k = 0; k < tally.size(); ++k) {
        tally[k].sums.add(counts_[k].sums);
        counts_[k].record.add_to(tally[k].measures);
        for (int b = 0; b < baseline_kinds; ++b)
            counts_[k].histogram[b].add_to(tally[k].histogram[b]);
    }
}

namespace {

/// One thread's part: blocks of instances that take milliseconds, so that threads end together.
void work(LaunchMonitor& watch, WorkerState& share, std::int64_t first_block, std::int64_t widest)
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

Launched launch_part(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    CellEngines const engines(cell, Processor::cpu);
    HostGenerator const generator(view_of(cell.workload));
    LaunchMonitor watch(range, stop_condition);
    auto const threads = tbb::this_task_arena::max_concurrency();
    auto const fair = std::max<std::int64_t>(range.count / threads, 1); // a thread's share
    auto const first = std::min<std::int64_t>(first_block(engines), fair);
    tbb::enumerable_thread_specific<std::unique_ptr<WorkerState>> shares;
    crx::parallel_for(0, threads, [&](int) {
        auto& share = shares.local();
        if (!share) share = std::make_unique<WorkerState>(cell, engines, generator, watch);
        work(watch, *share, first, widest_batch(engines));
    });
    Launched launched{Tally(cell.policies.size()), watch.count(), {}};
    for (std::size_t k = 0; k < cell.policies.size(); ++k)
        launched.engines.push_back(engines.runs[k].name(Processor::cpu));
    if (launched.count > 0)
        for (auto const& share : shares) share->add_to(launched.tally);
    return launched;
}

} // namespace

LaunchedParts launch_host(std::span<LaunchPart const> parts, StopCondition const& stop_condition)
{
    auto const begin = std::chrono::steady_clock::now();
    LaunchedParts done;
    for (auto const& [cell, range] : parts) {
        auto left = stop_condition;
        left.seconds -= seconds_since(begin);
        bool const first = done.parts.empty();
        bool const is_over =
            !first && (left.seconds <= 0 || (left.stop_asked && left.stop_asked()));
        try {
            done.parts.push_back(is_over ? Launched{Tally(cell->policies.size()), 0, {}}
                                         : launch_part(*cell, range, left));
        } catch (std::exception const&) {
            done.error = std::current_exception();
            return done;
        }
    }
    return done;
}

} // namespace crx
