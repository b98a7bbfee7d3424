#pragma once

#include "kernels/cohort/execute_cohort.cuh"
#include "kernels/cohort/instance_lanes.hh"
#include "kernels/cohort/learned_lane_engine.hh"

// CPU only, as learned_wide_form.hh.

namespace crx {
namespace {

/// learned_lanes() in the registers that this file is compiled for.
class LearnedLanesOf final : public InstanceLanes
{
  public:
    explicit LearnedLanesOf(WorkloadView const& w, std::int64_t most_cohorts)
        : InstanceLanes(LearnedLaneEngine::lanes), workload_(w), engine_(w, most_cohorts)
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        engine_.open(stream_policy + static_cast<std::uint32_t>(PolicyKind::a_min), first,
                     instances, counts);
        engine_.run();
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size())
            keep(j, engine_.outcome(j), workload_, counts);
    }

  private:
    WorkloadView workload_;
    LearnedLaneEngine engine_;
};

} // namespace
} // namespace crx
