#include "kernels/launch/cell.hh"
#include "kernels/launch/cohort_share.hh"
#include "kernels/launch/execute_host.hh"
#include "kernels/launch/single.hh"
#include "kernels/laws/host_generator.hh"
#include "kernels/lockstep/lockstep.hh"
#include "kernels/tally/bin_counts.hh"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

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

/// One thread's share of the chunk. An instance allocates nothing, unless a policy orders offline.
struct Share
{
    /// `lockstep` may be null: no instances side by side.
    Share(Cell const& cell, lockstep::Lockstep const* lockstep)
        : workspace(cell), cohorts(cell), outcomes(cell.policies.size()),
          counts(cell.policies.size())
    {
        if (lockstep != nullptr)
            group.emplace(*lockstep,
                          cell.wants(BaselineKind::volume) || cell.wants(BaselineKind::release));
    }
    Workspace workspace;
    CohortShare cohorts;
    std::optional<lockstep::LockstepGroup> group;
    std::vector<Outcome> outcomes;
    std::vector<PolicyCounts> counts;
};

Outcome run(PolicySpec const& spec, Workspace& space, std::uint64_t seed, std::int64_t instance)
{
    return with_policy(spec, [&]<class P>(P const& policy) {
        return execute_on_host(policy, space.requests, seed, static_cast<std::uint64_t>(instance),
                               space.engine_block(), space.engine_block_bytes());
    });
}

bool needs_shortest_first(Cell const& cell)
{
    return cell.wants(BaselineKind::h_sf) || cell.wants(BaselineKind::mc_sf);
}

/// What runs MC-SF and the volume bound of this cell for many instances at once; null: nothing can.
std::unique_ptr<lockstep::Lockstep const> lockstep_for(Cell const& cell, WorkloadView const& view)
{
    if (any_by_cohorts(cell)) return nullptr;
    auto const shortest_first =
        std::ranges::find(cell.policies, PolicyKind::mc_sf, &PolicySpec::kind);
    if (shortest_first == cell.policies.end() && !needs_shortest_first(cell)) return nullptr;
    return lockstep::Lockstep::serving(view);
}

/// The requests of an instance, written when first asked for.
class LazyInstance
{
  public:
    LazyInstance(HostGenerator const& generator, std::int64_t instance, Requests const& requests)
        : generator_(generator), instance_(instance), requests_(requests)
    {
    }
    Requests const& get()
    {
        if (!written_) generator_.generate(static_cast<std::uint64_t>(instance_), requests_);
        written_ = true;
        return requests_;
    }

  private:
    HostGenerator const& generator_;
    std::int64_t instance_;
    Requests const& requests_;
    bool written_ = false;
};

void execute_instance(Cell const& cell, HostGenerator const& generator, std::int64_t instance,
                      Share& share)
{
    auto& space = share.workspace;
    auto& outcomes = share.outcomes;
    auto const seed = cell.workload.seed;
    auto& cohorts = share.cohorts;
    LazyInstance requests(generator, instance, space.requests);
    if (all_by_cohorts(cell))
        cohorts.draw_counts(instance);
    else if (cohorts.any())
        cohorts.count({requests.get().output, static_cast<std::size_t>(space.requests.n)});
    auto& group = share.group;
    if (group && !group->has(instance)) group->execute(instance);

    auto const run_requests = [&](PolicySpec const& spec) {
        if (group && spec.kind == PolicyKind::mc_sf)
            if (auto const outcome = group->shortest_first(instance); outcome.finished != 0)
                return outcome;
        requests.get();
        return run(spec, space, seed, instance);
    };
    std::int64_t baselines[baseline_kinds] = {};
    std::int64_t shortest_first = 0; // TEL of mc-sf; 0: not known yet
    for (std::size_t k = 0; k < cell.policies.size(); ++k) {
        if (auto const* const offline = order_of(cell, k))
            outcomes[k] =
                execute_in_order(space.requests, offline->order(requests.get(), seed, instance));
        else
            outcomes[k] = engine_of(cell, k) == EngineKind::cohort
                              ? cohorts.execute(cell.policies[k], instance)
                              : run_requests(cell.policies[k]);
        if (cell.policies[k].kind == PolicyKind::mc_sf) shortest_first = outcomes[k].total_latency;
    }
    if (needs_shortest_first(cell) && shortest_first == 0)
        shortest_first = (cohorts.any() ? cohorts.execute({PolicyKind::mc_sf, {}}, instance)
                                        : run_requests({PolicyKind::mc_sf, {}}))
                             .total_latency;
    for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
        if (cell.wants(kind)) baselines[static_cast<int>(kind)] = shortest_first;
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
            value = Bound(arena, cell.workload.requests).execute(requests.get());
        }
    };
    bound.operator()<VolumeBound>(BaselineKind::volume);
    bound.operator()<ReleaseBound>(BaselineKind::release);
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        share.counts[k].sums.add(outcomes[k], baselines, instance);
        if (outcomes[k].finished == 0) continue;
        for (int b = 0; b < baseline_kinds; ++b)
            if (baselines[b] > 0)
                share.counts[k].histogram[b].count(
                    histogram_bin(fixed_ratio(outcomes[k].total_latency, baselines[b])));
    }
}

} // namespace

Tally launch_host(Cell const& cell, InstanceRange range)
{
    auto const view = view_of(cell.workload);
    HostGenerator const generator(view);
    auto const lockstep = lockstep_for(cell, view);
    // Groups begin anywhere, so a part that one thread takes is made of many of them.
    std::size_t const least_part = lockstep ? 16 * lockstep::lanes : 1;
    tbb::enumerable_thread_specific<std::unique_ptr<Share>> shares;
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(range.first, range.first + range.count, least_part),
        [&](tbb::blocked_range<std::int64_t> const& part) {
            auto& share = shares.local();
            if (!share) share = std::make_unique<Share>(cell, lockstep.get());
            for (auto instance = part.begin(); instance < part.end(); ++instance)
                execute_instance(cell, generator, instance, *share);
        });
    Tally total(cell.policies.size());
    for (auto const& share : shares)
        for (std::size_t k = 0; k < total.size(); ++k) {
            total[k].sums.add(share->counts[k].sums);
            for (int b = 0; b < baseline_kinds; ++b)
                share->counts[k].histogram[b].add_to(total[k].histogram[b]);
        }
    return total;
}

} // namespace crx
