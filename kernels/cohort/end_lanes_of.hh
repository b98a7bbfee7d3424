#pragma once

#include "kernels/cohort/end_lane_engine.hh"
#include "kernels/cohort/end_lanes.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

template <class T, bool hidden>
class EndLanesOf final : public InstanceLanes
{
  public:
    explicit EndLanesOf(WorkloadView const& w)
        : InstanceLanes(EndLaneEngine<T, hidden>::lanes), workload_(w), engine_(w)
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        engine_.open(workload_, first, instances, counts);
        engine_.run();
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size())
            keep(j, engine_.outcome(j), workload_, counts);
    }

  private:
    WorkloadView workload_;
    EndLaneEngine<T, hidden> engine_;
};

template <bool hidden>
InstanceLanes* end_lanes_of(WorkloadView const& w, bool floats)
{
    if (floats) return new EndLanesOf<float, hidden>(w);
    return new EndLanesOf<double, hidden>(w);
}

} // namespace
} // namespace crx
