#include "kernels/launch/cell.hh"
#include "kernels/launch/cohort_share.hh"
#include "kernels/launch/execute_host.hh"
#include "kernels/launch/single.hh"
#include "kernels/laws/host_generator.hh"
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
    explicit Share(Cell const& cell)
        : workspace(cell), cohorts(cell), outcomes(cell.policies.size()),
          counts(cell.policies.size())
    {
    }
    Workspace workspace;
    CohortShare cohorts;
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

void execute_instance(Cell const& cell, HostGenerator const& generator, std::int64_t instance,
                      Share& share)
{
    auto& space = share.workspace;
    auto& outcomes = share.outcomes;
    auto const seed = cell.workload.seed;
    auto& cohorts = share.cohorts;
    if (all_by_cohorts(cell)) {
        cohorts.draw_counts(instance);
    } else {
        generator.generate(static_cast<std::uint64_t>(instance), space.requests);
        if (cohorts.any())
            cohorts.count({space.requests.output, static_cast<std::size_t>(space.requests.n)});
    }
    std::int64_t baselines[baseline_kinds] = {};
    std::int64_t shortest_first = 0; // TEL of mc-sf; 0: not known yet
    for (std::size_t k = 0; k < cell.policies.size(); ++k) {
        if (auto const* const offline = order_of(cell, k))
            outcomes[k] =
                execute_in_order(space.requests, offline->order(space.requests, seed, instance));
        else
            outcomes[k] = engine_of(cell, k) == EngineKind::cohort
                              ? cohorts.execute(cell.policies[k], instance)
                              : run(cell.policies[k], space, seed, instance);
        if (cell.policies[k].kind == PolicyKind::mc_sf) shortest_first = outcomes[k].total_latency;
    }
    bool const over_it = cell.wants(BaselineKind::h_sf) || cell.wants(BaselineKind::mc_sf);
    if (over_it && shortest_first == 0)
        shortest_first = (cohorts.any() ? cohorts.execute({PolicyKind::mc_sf, {}}, instance)
                                        : run({PolicyKind::mc_sf, {}}, space, seed, instance))
                             .total_latency;
    for (auto const kind : {BaselineKind::h_sf, BaselineKind::mc_sf})
        if (cell.wants(kind)) baselines[static_cast<int>(kind)] = shortest_first;
    auto const bound = [&]<class Bound>(BaselineKind kind) {
        if (!cell.wants(kind)) return;
        if (cohorts.any()) { // all at 0, where the release bound is the volume bound
            baselines[static_cast<int>(kind)] = cohorts.volume();
            return;
        }
        Arena arena(space.engine_block(), space.engine_block_bytes());
        baselines[static_cast<int>(kind)] =
            Bound(arena, cell.workload.requests).execute(space.requests);
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
    HostGenerator const generator(view_of(cell.workload));
    tbb::enumerable_thread_specific<std::unique_ptr<Share>> shares;
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(range.first, range.first + range.count),
                      [&](tbb::blocked_range<std::int64_t> const& part) {
                          auto& share = shares.local();
                          if (!share) share = std::make_unique<Share>(cell);
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
