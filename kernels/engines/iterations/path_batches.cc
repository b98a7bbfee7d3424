#include "kernels/engines/iterations/path_batches.hh"

#include "kernels/model/launch_monitor.hh"

#include <algorithm>
#include <numeric>

namespace crx {

std::vector<std::int64_t> arrival_quorum(IterationCell const& cell)
{
    std::vector<std::int64_t> quorum(cell.types.size(), 1);
    if (cell.policy.kind == IterationPolicyKind::wait && !cell.policy.names_prompts() &&
        !cell.measures.any())
        for (std::size_t j = 0; j < quorum.size(); ++j)
            quorum[j] = cell.policy.thresholds.segments[j].threshold;
    return quorum;
}

PathPlan path_plan(IterationCell const& cell, std::vector<std::int64_t> const& quorum)
{
    CRX_EXPECT(!cell.checkpoints.empty() && cell.checkpoints.back() <= cell.arrivals.longest());
    CRX_EXPECT(quorum.size() == cell.types.size());
    CRX_EXPECT(!cell.policy.hard ||
               cell.policy.thresholds.prefill_tokens(cell.types) <= cell.policy.memory);
    PathPlan plan;
    plan.time = cell.time;
    plan.types = cell.types.data();
    plan.type_count = static_cast<std::int32_t>(cell.types.size());
    plan.capacity = cell.policy.memory;
    if (cell.policy.hard) plan.hard = cell.policy.memory;
    plan.seed = cell.seed;
    plan.arrivals = cell.arrivals.table();
    plan.quorum = quorum.data();
    plan.checkpoints = cell.checkpoints.data();
    plan.checkpoint_count = static_cast<std::int32_t>(cell.checkpoints.size());
    if (has_thresholds(cell.policy.kind))
        plan.thresholds = cell.policy.thresholds.plan(cell.types);
    else
        plan.fcfs = fcfs_plan(cell.policy, cell.types);
    return plan;
}

// Here and not where it is called, so that no launcher compiles a path's body for the host: only
// iterate.cc's is the one that is made for several processors.
template <class Policy>
std::size_t path_arena_bytes(PathPlan const& plan, std::int64_t room)
{
    return PathRun<Policy>::arena_bytes(plan, room);
}
template std::size_t path_arena_bytes<ThresholdPolicy>(PathPlan const&, std::int64_t);
template std::size_t path_arena_bytes<PromptThresholdPolicy>(PathPlan const&, std::int64_t);
template std::size_t path_arena_bytes<FcfsPolicy>(PathPlan const&, std::int64_t);

namespace {

using Seconds = std::chrono::duration<double>;

/// False: given up.
bool advance_all(PathSlots& slots, SliceLength& slice, LaunchMonitor& watch)
{
    while (std::ranges::find(slots.status(), PathStatus::running) != slots.status().end()) {
        if (watch.should_abort()) return false;
        auto const begin = std::chrono::steady_clock::now();
        slots.advance(slice.steps());
        slice.took(Seconds(std::chrono::steady_clock::now() - begin).count());
    }
    return true;
}

} // namespace

std::vector<std::vector<IterationTally>> run_in_slots(PathSlots& slots, IterationCell const& cell,
                                                      std::int64_t first, std::int64_t count,
                                                      StopCondition const& stop_condition,
                                                      double launch_seconds)
{
    std::vector<std::vector<IterationTally>> paths(static_cast<std::size_t>(count));
    LaunchMonitor watch({first, count}, stop_condition);
    SliceLength slice(launch_seconds, 256);
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(count));
    std::iota(wanted.begin(), wanted.end(), first);
    auto const checkpoints = cell.checkpoints.size();
    for (auto room = first_path_room; !wanted.empty(); room *= path_room_factor) {
        std::vector<std::int64_t> too_long; // their queues overflowed
        auto const most = static_cast<std::size_t>(slots.slots(room));
        for (std::size_t at = 0; at < wanted.size(); at += most) {
            auto const batch = std::span(wanted).subspan(at, std::min(most, wanted.size() - at));
            if (watch.should_abort()) return paths;
            slots.begin(batch, room);
            auto const finished = advance_all(slots, slice, watch);
            auto const status = slots.status();
            auto const tallies = slots.tallies();
            for (std::size_t k = 0; k < batch.size(); ++k) {
                auto const of_path = tallies.subspan(k * checkpoints, checkpoints);
                if (status[k] == PathStatus::done)
                    paths[static_cast<std::size_t>(batch[k] - first)].assign(of_path.begin(),
                                                                             of_path.end());
                else if (status[k] == PathStatus::no_room)
                    too_long.push_back(batch[k]);
            }
            if (!finished) return paths;
        }
        wanted = std::move(too_long);
    }
    return paths;
}

namespace {

/// PathSlots on one thread of the CPU: what a GPU does slot by slot, where it can be looked at.
/// Not fast; launch_paths is.
template <class Policy>
class HostPathSlots final : public PathSlots
{
  public:
    /// `most`: slots. Contract: the cell outlives it; its policy is one that `Policy` runs.
    HostPathSlots(IterationCell const& cell, std::int64_t most)
        : quorum_(arrival_quorum(cell)), plan_(path_plan(cell, quorum_)), most_(most)
    {
    }

    std::int64_t slots(std::int64_t) override { return most_; }
    void begin(std::span<std::int64_t const> paths, std::int64_t room) override
    {
        auto const bytes = path_arena_bytes<Policy>(plan_, room);
        runs_.clear();
        arenas_.clear();
        for (auto const path : paths) {
            arenas_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
            Arena arena(arenas_.back().get(), bytes);
            runs_.emplace_back(plan_, static_cast<std::uint64_t>(path), room, arena);
        }
        status_.assign(paths.size(), PathStatus::running);
        tallies_.assign(paths.size() * checkpoints(), {});
    }
    void advance(std::int64_t steps) override
    {
        for (std::size_t slot = 0; slot < runs_.size(); ++slot) {
            if (status_[slot] != PathStatus::running) continue;
            auto run = runs_[slot];
            status_[slot] = run.run(plan_, steps, tallies_.data() + slot * checkpoints());
            runs_[slot] = run;
        }
    }
    std::span<PathStatus const> status() override { return status_; }
    std::span<IterationTally const> tallies() override { return tallies_; }

  private:
    std::size_t checkpoints() const { return static_cast<std::size_t>(plan_.checkpoint_count); }

    std::vector<std::int64_t> quorum_;
    PathPlan plan_;
    std::int64_t most_;
    std::vector<PathRun<Policy>> runs_;
    std::vector<std::unique_ptr<std::byte[]>> arenas_;
    std::vector<PathStatus> status_;
    std::vector<IterationTally> tallies_;
};

} // namespace

std::unique_ptr<PathSlots> host_path_slots(IterationCell const& cell, std::int64_t most)
{
    return with_path_policy(cell, [&]<class Policy>() -> std::unique_ptr<PathSlots> {
        return std::make_unique<HostPathSlots<Policy>>(cell, most);
    });
}

} // namespace crx
