#pragma once

#include "kernels/cohort/upper_lane_engine.hh"
#include "kernels/cohort/upper_lanes.hh"

// CPU only, as upper_lane_engine.hh.

namespace crx {
namespace {

/// upper_lanes() in the registers that this file is compiled for.
template <class T>
class UpperLanesOf final : public InstanceLanes
{
  public:
    explicit UpperLanesOf(WorkloadView const& w)
        : InstanceLanes(Engine::registers * Engine::lanes), workload_(w),
          engine_(Engine::registers, Engine(w))
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        auto const& values = workload_.output_value;
        for (int r = 0; r < Engine::registers; ++r) {
            auto const before = instances < r * Engine::lanes ? instances : r * Engine::lanes;
            auto const rest = instances - before;
            engine_[r].open(workload_, first + before, rest < Engine::lanes ? rest : Engine::lanes,
                            counts + static_cast<std::ptrdiff_t>(values.size()) * before);
        }
        // Two sizes: what is known of two classes stays in registers.
        if (values.size() <= 2)
            run_two();
        else
            run_most();
        for (int j = 0; j < instances; ++j, counts += values.size())
            keep(j, engine_[j / Engine::lanes].outcome(workload_, j % Engine::lanes, counts),
                 workload_, counts);
    }

  private:
    using Engine = UpperLaneEngine<T>;

    [[gnu::noinline]] void run_two() { Engine::template run<2>(engine_.data()); }
    [[gnu::noinline]] void run_most()
    {
        Engine::template run<Engine::most_classes>(engine_.data());
    }

    WorkloadView workload_;
    std::vector<Engine> engine_;
};

InstanceLanes* upper_lanes_of(WorkloadView const& w, bool floats)
{
    if (floats) return new UpperLanesOf<float>(w);
    return new UpperLanesOf<double>(w);
}

} // namespace
} // namespace crx
