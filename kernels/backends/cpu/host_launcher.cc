#include "kernels/backends/cell.hh"
#include "kernels/backends/cpu/a_min_small_share.hh"
#include "kernels/backends/cpu/cohort_share.hh"
#include "kernels/backends/cpu/execute_host.hh"
#include "kernels/backends/cpu/launch_watch.hh"
#include "kernels/backends/cpu/lazy_instance.hh"
#include "kernels/backends/cpu/single.hh"
#include "kernels/engines/list_schedule/batch/mc_sf_batch.hh"
#include "kernels/laws/host_generator.hh"
#include "kernels/model/denominator.cuh"
#include "kernels/model/tally/bin_counts.hh"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace crx {
namespace {

/// One thread's memory for a cell: the requests of an instance and what an engine needs, taken
/// once.
class Workspace
{
  public:
    explicit Workspace(Cell const& cell)
    {
        auto const n = all_by_cohorts(cell) ? 0 : cell.workload.requests;
        auto engine = std::max(VolumeBound::arena_bytes(n), host_engine_bytes({}, n));
        for (auto const& spec : cell.policies)
            engine = std::max(engine, host_engine_bytes(spec, n));
        if (cell.wants(BaselineKind::release))
            engine = std::max(engine, ReleaseBound::arena_bytes(n));
        engine_bytes_ = engine;
        request_bytes_ = request_bytes(n);
        block_ = std::make_unique_for_overwrite<std::byte[]>(request_bytes_ + engine_bytes_);
        Arena arena(block_.get(), request_bytes_);
        requests = take_requests(arena, n, cell.workload.memory, cell.workload.clock);
    }

    Requests requests;
    void* engine_block() { return block_.get() + request_bytes_; }
    std::size_t engine_block_bytes() const { return engine_bytes_; }

  private:
    std::unique_ptr<std::byte[]> block_;
    std::size_t request_bytes_, engine_bytes_;
};

/// What one thread counts of one policy.
struct PolicyCounts
{
    PolicySums sums;
    BinCounts histogram[baseline_kinds];
};

/// One thread's share of the chunk. An instance allocates nothing, unless a policy orders offline
/// or a baseline is the host's.
struct Share
{
    /// `mc_sf_batch` may be null: no instances side by side. `min_groups`: whether a-min may be run
    /// for several instances at a time.
    Share(Cell const& cell, mc_sf_batch::McSfBatchPlan const* mc_sf_batch, bool min_groups,
          LaunchWatch& launch_watch)
        : watch(launch_watch), workspace(cell), cohorts(cell), outcomes(cell.policies.size()),
          counts(cell.policies.size())
    {
        for (auto& policy : counts)
            for (int b = 0; b < baseline_kinds; ++b)
                if (cell.baseline[b]) policy.histogram[b].open();
        if (mc_sf_batch != nullptr)
            group.emplace(*mc_sf_batch,
                          cell.wants(BaselineKind::volume) || cell.wants(BaselineKind::release));
        if (min_groups && MinGroup::serves(cell))
            min_group.emplace(cell.workload.requests, cell.workload.memory, cell.workload.clock);
        log.abandon = [](void* self) {
            auto& share = *static_cast<Share*>(self);
            share.abandoned = share.abandoned || share.watch.abandons();
            return share.abandoned;
        };
        log.abandon_context = this;
    }
    Share(Share const&) = delete;
    Share& operator=(Share const&) = delete;

    LaunchWatch& watch;
    Workspace workspace;
    CohortShare cohorts;
    std::optional<mc_sf_batch::McSfBatch> group;
    std::optional<MinGroup> min_group;
    std::vector<Outcome> outcomes;
    std::vector<PolicyCounts> counts;
    ScheduleLog log;        ///< asks the watch
    bool abandoned = false; ///< and this was its answer
};

Outcome run(PolicySpec const& spec, Requests const& requests, Workspace& space, std::uint64_t seed,
            std::int64_t instance, ScheduleLog const& log)
{
    return with_policy(spec, [&]<class P>(P const& policy) {
        return execute_on_host(policy, requests, seed, static_cast<std::uint64_t>(instance),
                               space.engine_block(), space.engine_block_bytes(), log);
    });
}

bool needs_shortest_first(Cell const& cell)
{
    return cell.wants(BaselineKind::h_sf) || cell.wants(BaselineKind::mc_sf);
}

/// What runs MC-SF and the volume bound of this cell for many instances at once; null: nothing can.
std::unique_ptr<mc_sf_batch::McSfBatchPlan const> mc_sf_batch_for(Cell const& cell,
                                                                  WorkloadView const& view)
{
    if (any_by_cohorts(cell) || cell.source != nullptr) return nullptr;
    auto const shortest_first =
        std::ranges::find(cell.policies, PolicyKind::mc_sf, &PolicySpec::kind);
    if (shortest_first == cell.policies.end() && !needs_shortest_first(cell)) return nullptr;
    return mc_sf_batch::McSfBatchPlan::serving(view);
}

/// Runs a-min for `instance` and those behind it, before `end`.
void execute_min_group(Cell const& cell, HostGenerator const& generator, std::int64_t instance,
                       std::int64_t end, Share& share)
{
    auto const seed = cell.workload.seed;
    auto const count =
        static_cast<int>(std::min<std::int64_t>(a_min_small_batch_size, end - instance));
    for (int k = 0; k < count; ++k)
        LazyInstance(generator, cell.source.get(), seed, instance + k, share.min_group->place(k))
            .get();
    share.min_group->execute(seed, instance, count, share.log);
}

/// False if it was abandoned, and then nothing is counted. Others up to `end` may be run with it.
bool execute_instance(Cell const& cell, HostGenerator const& generator, std::int64_t instance,
                      std::int64_t end, Share& share)
{
    auto& space = share.workspace;
    auto& outcomes = share.outcomes;
    auto const seed = cell.workload.seed;
    auto& cohorts = share.cohorts;
    auto& min_group = share.min_group;
    if (min_group && !min_group->has(instance)) {
        if (min_group->gains())
            execute_min_group(cell, generator, instance, end, share);
        else
            min_group.reset();
        if (share.abandoned) return false;
    }
    LazyInstance requests(generator, cell.source.get(), seed, instance,
                          min_group ? min_group->requests(instance) : space.requests);
    if (min_group) requests.note_written();
    if (all_by_cohorts(cell))
        cohorts.draw_counts(instance);
    else if (cohorts.any())
        cohorts.count({requests.get().output, static_cast<std::size_t>(requests.get().n)});
    auto& group = share.group;
    if (group && !group->has(instance)) group->execute(instance);

    auto const run_requests = [&](PolicySpec const& spec) {
        if (group && spec.kind == PolicyKind::mc_sf)
            if (auto const outcome = group->shortest_first(instance); outcome.finished != 0)
                return outcome;
        if (min_group && spec.kind == PolicyKind::a_min)
            if (auto const& outcome = min_group->outcome(instance)) return *outcome;
        return run(spec, requests.get(), space, seed, instance, share.log);
    };
    std::int64_t baselines[baseline_kinds] = {};
    std::optional<Outcome> shortest_first; // mc-sf, once it is known
    for (std::size_t k = 0; k < cell.policies.size(); ++k) {
        if (auto const* const offline = order_of(cell, k))
            outcomes[k] =
                execute_in_order(requests.get(), offline->order(requests.get(), seed, instance));
        else
            outcomes[k] = engine_of(cell, k) == EngineKind::cohort
                              ? cohorts.execute(cell.policies[k], instance, share.log)
                              : run_requests(cell.policies[k]);
        if (share.abandoned) return false;
        if (cell.policies[k].kind == PolicyKind::mc_sf) shortest_first = outcomes[k];
    }
    if (needs_shortest_first(cell) && !shortest_first)
        shortest_first = cohorts.any()
                             ? cohorts.execute({PolicyKind::mc_sf, {}}, instance, share.log)
                             : run_requests({PolicyKind::mc_sf, {}});
    if (share.abandoned) return false;
    for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
        if (cell.wants(kind)) baselines[static_cast<int>(kind)] = denominator_of(*shortest_first);
    auto const bound = [&]<class Bound>(BaselineKind kind) {
        if (!cell.wants(kind)) return;
        auto& value = baselines[static_cast<int>(kind)];
        // With all at 0, as in both of these, the release bound is the volume bound.
        if (cohorts.any())
            value = cohorts.volume();
        else if (group && group->has_volume())
            value = group->volume(instance);
        else {
            Arena arena(space.engine_block(), space.engine_block_bytes());
            auto const& all = requests.get();
            value = Bound(arena, all.n).execute(all);
        }
    };
    bound.operator()<VolumeBound>(BaselineKind::volume);
    bound.operator()<ReleaseBound>(BaselineKind::release);
    if (cell.host_baselines != nullptr) {
        auto const stop = [&share] { return share.log.abandon(&share); };
        cell.host_baselines->evaluate(requests.get(), stop, baselines);
        if (share.abandoned) return false;
    }
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        share.counts[k].sums.add(outcomes[k], baselines, instance);
        if (outcomes[k].finished == 0) continue;
        for (int b = 0; b < baseline_kinds; ++b)
            if (cell.baseline[b] && baselines[b] > 0)
                share.counts[k].histogram[b].count(
                    histogram_bin(fixed_ratio(outcomes[k].total_latency, baselines[b])));
    }
    return true;
}

/// One thread's part: blocks of instances that take milliseconds, so that threads end together.
/// `fair`: its share, if all took the same time.
void work(Cell const& cell, HostGenerator const& generator, LaunchWatch& watch, Share& share,
          std::int64_t fair)
{
    constexpr auto short_time = std::chrono::milliseconds(2);
    for (std::int64_t size = share.group ? mc_sf_batch::lanes
                             : share.min_group
                                 ? a_min_small_batch_size
                                 : std::clamp<std::int64_t>(fair, 1, share.cohorts.lanes());
         ;) {
        auto const block = watch.next(size);
        if (block.count == 0) return;
        share.cohorts.expect(block);
        auto const begin = std::chrono::steady_clock::now();
        for (auto k = block.first; k < block.first + block.count; ++k) {
            if (execute_instance(cell, generator, k, block.first + block.count, share)) continue;
            watch.finish({block.first, k - block.first});
            return watch.leave(k);
        }
        watch.finish(block);
        auto const time = std::chrono::steady_clock::now() - begin;
        if (time < short_time) size *= 2;
        // A group that is cut takes as long as a whole one.
        if (time > (share.min_group && size <= a_min_small_batch_size ? 40 : 4) * short_time &&
            size > 1)
            size /= 2;
    }
}

} // namespace

Launched launch_host(Cell const& cell, InstanceRange range, StopCondition const& stop_condition)
{
    auto const view = view_of(cell.workload);
    HostGenerator const generator(view);
    auto const mc_sf_batch = mc_sf_batch_for(cell, view);
    LaunchWatch watch(range, stop_condition);
    auto const threads = tbb::this_task_arena::max_concurrency();
    // Not where some threads would be left without instances.
    bool const min_groups = range.count >= std::int64_t{a_min_small_batch_size} * threads;
    tbb::enumerable_thread_specific<std::unique_ptr<Share>> shares;
    tbb::parallel_for(0, threads, [&](int) {
        auto& share = shares.local();
        if (!share) share = std::make_unique<Share>(cell, mc_sf_batch.get(), min_groups, watch);
        work(cell, generator, watch, *share, range.count / threads);
    });
    Launched launched{Tally(cell.policies.size()), watch.count()};
    if (launched.count == 0) return launched;
    for (auto const& share : shares)
        for (std::size_t k = 0; k < launched.tally.size(); ++k) {
            auto& total = launched.tally[k];
            total.sums.add(share->counts[k].sums);
            for (int b = 0; b < baseline_kinds; ++b)
                share->counts[k].histogram[b].add_to(total.histogram[b]);
        }
    return launched;
}

Tally launch_host(Cell const& cell, InstanceRange range)
{
    return launch_host(cell, range, StopCondition{}).tally;
}

} // namespace crx
