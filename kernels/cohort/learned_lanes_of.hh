#pragma once

#include "kernels/cohort/execute_cohort.cuh"
#include "kernels/cohort/instance_lanes.hh"
#include "kernels/cohort/learned_lane_engine.hh"

// CPU only, as learned_wide_form.hh.

namespace crx {
namespace {

/// learned_lanes() in the registers that this file is compiled for.
template <Outlived outlived>
class LearnedLanesOf final : public InstanceLanes
{
  public:
    explicit LearnedLanesOf(WorkloadView const& w, std::int64_t most_cohorts)
        : InstanceLanes(Engine::lanes), workload_(w), engine_(w, most_cohorts)
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        engine_.open(stream_policy + static_cast<std::uint32_t>(kind), first, instances, counts);
        engine_.run();
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size())
            keep(j, engine_.outcome(j), workload_, counts);
    }

  private:
    using Engine = LearnedLaneEngine<outlived>;
    static constexpr auto kind =
        outlived == Outlived::counted ? PolicyKind::a_min : PolicyKind::a_min_evict;

    WorkloadView workload_;
    Engine engine_;
};

InstanceLanes* learned_lanes_of(PolicyKind kind, WorkloadView const& w, std::int64_t most_cohorts)
{
    if (kind == PolicyKind::a_min) return new LearnedLanesOf<Outlived::counted>(w, most_cohorts);
    return new LearnedLanesOf<Outlived::weightless>(w, most_cohorts);
}

} // namespace
} // namespace crx
