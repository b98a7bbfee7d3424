#include "kernels/launch/cell.hh"
#include "kernels/launch/execute.cuh"

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
        auto const n = cell.workload.requests;
        auto engine = std::max(VolumeBound::arena_bytes(n), engine_bytes({}, n));
        for (auto const& spec : cell.policies) engine = std::max(engine, engine_bytes(spec, n));
        engine_bytes_ = engine;
        request_bytes_ = request_bytes(n);
        block_ = std::make_unique_for_overwrite<std::byte[]>(request_bytes_ + engine_bytes_);
        Arena arena(block_.get(), request_bytes_);
        requests = take_requests(arena, n, cell.workload.memory);
    }

    Requests requests;
    void* engine_block() { return block_.get() + request_bytes_; }
    std::size_t engine_block_bytes() const { return engine_bytes_; }

  private:
    std::unique_ptr<std::byte[]> block_;
    std::size_t request_bytes_, engine_bytes_;
};

/// One thread's share of the chunk.
struct Share
{
    explicit Share(Cell const& cell) : workspace(cell), tally(cell.policies.size()) {}
    Workspace workspace;
    Tally tally;
};

Outcome run(PolicySpec const& spec, Workspace& space, std::uint64_t seed, std::int64_t instance)
{
    return with_policy(spec, [&]<class P>(P const& policy) {
        return execute_policy(policy, space.requests, seed, static_cast<std::uint64_t>(instance),
                              space.engine_block(), space.engine_block_bytes());
    });
}

void execute_instance(Cell const& cell, WorkloadView const& workload, std::int64_t instance,
                      std::vector<Outcome>& outcomes, Share& share)
{
    auto& space = share.workspace;
    generate(workload, static_cast<std::uint64_t>(instance), space.requests);
    std::int64_t baselines[baseline_kinds] = {0, 0};
    for (std::size_t k = 0; k < cell.policies.size(); ++k) {
        outcomes[k] = run(cell.policies[k], space, workload.seed, instance);
        if (cell.policies[k].kind == PolicyKind::mc_sf) baselines[0] = outcomes[k].total_latency;
    }
    if (!cell.baseline[0])
        baselines[0] = 0;
    else if (baselines[0] == 0)
        baselines[0] = run({PolicyKind::mc_sf, {}}, space, workload.seed, instance).total_latency;
    if (cell.baseline[1]) {
        Arena arena(space.engine_block(), space.engine_block_bytes());
        baselines[1] = VolumeBound(arena, workload.requests).execute(space.requests);
    }
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        share.tally[k].sums.add(outcomes[k], baselines, instance);
        if (outcomes[k].finished == 0) continue;
        for (int b = 0; b < baseline_kinds; ++b)
            if (baselines[b] > 0)
                ++share.tally[k].histogram[b][histogram_bin(
                    fixed_ratio(outcomes[k].total_latency, baselines[b]))];
    }
}

} // namespace

Tally launch_host(Cell const& cell, InstanceRange range)
{
    auto const workload = view_of(cell.workload);
    tbb::enumerable_thread_specific<std::unique_ptr<Share>> shares;
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(range.first, range.first + range.count),
                      [&](tbb::blocked_range<std::int64_t> const& part) {
                          auto& share = shares.local();
                          if (!share) share = std::make_unique<Share>(cell);
                          std::vector<Outcome> outcomes(cell.policies.size());
                          for (auto instance = part.begin(); instance < part.end(); ++instance)
                              execute_instance(cell, workload, instance, outcomes, *share);
                      });
    Tally total(cell.policies.size());
    for (auto const& share : shares)
        for (std::size_t k = 0; k < total.size(); ++k) total[k].add(share->tally[k]);
    return total;
}

} // namespace crx
