#pragma once

#include "kernels/cohort/end_lane_engine.cuh"
#include "kernels/cohort/end_lanes.hh"
#include "kernels/cohort/vector_form.hh"

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

template <class T, bool hidden>
class EndLanesOf final : public InstanceLanes
{
  public:
    explicit EndLanesOf(WorkloadView const& w)
        : InstanceLanes(VectorLanes<T>::lanes), workload_(w),
          engine_(w,
                  typename Engine::Places(
                      2 * end_lane_steps(w, hidden ? w.interval.upper
                                                   : w.output_value[w.output_value.size() - 1])),
                  hidden ? w.requests : 0, static_cast<std::int64_t>(w.output_value.size()))
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        engine_.open(workload_, first, instances, counts,
                     static_cast<std::int64_t>(workload_.output_value.size()));
        engine_.run();
        for (int j = 0; j < instances; ++j, counts += workload_.output_value.size())
            keep(j, engine_.outcome(workload_, j, counts), workload_, counts);
    }

  private:
    using Engine = EndLaneEngine<VectorForm<T>, hidden>;

    WorkloadView workload_;
    Engine engine_;
};

template <bool hidden>
InstanceLanes* end_lanes_of(WorkloadView const& w, bool floats)
{
    if (floats) return new EndLanesOf<float, hidden>(w);
    return new EndLanesOf<double, hidden>(w);
}

} // namespace
} // namespace crx
