#pragma once

#include "kernels/engines/iterations/path_batches.hh"

#include <memory>
#include <vector>

namespace crx {

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

/// Calls run(slots) with slots of the kind that the cell's policy needs.
template <class Run>
auto with_host_slots(IterationCell const& cell, std::int64_t most, Run run)
{
    return with_path_policy(cell, [&]<class Policy>() {
        HostPathSlots<Policy> slots(cell, most);
        return run(slots);
    });
}

} // namespace crx
