#pragma once

#include "kernels/cohort/upper_lane_engine.hh"
#include "kernels/cohort/upper_lanes_forms.hh"

// CPU only, as upper_lane_engine.hh.

namespace crx {
namespace {

/// UpperLanes in the registers that this file is compiled for.
template <class T>
class LanesOf final : public UpperLanes
{
  public:
    explicit LanesOf(WorkloadView const& w) : workload_(w), engine_(Engine::registers, Engine(w))
    {
        outcomes_.resize(static_cast<std::size_t>(lanes()));
    }
    int lanes() const override { return Engine::registers * Engine::lanes; }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        auto const& values = workload_.output_value;
        for (int r = 0; r < Engine::registers; ++r) {
            auto const before = std::min(instances, r * Engine::lanes);
            engine_[r].open(workload_, first + before, std::min(instances - before, Engine::lanes),
                            counts + static_cast<std::ptrdiff_t>(values.size()) * before);
        }
        // Two sizes: what is known of two classes stays in registers.
        if (values.size() <= 2)
            run_two();
        else
            run_most();
        for (int j = 0; j < instances; ++j) {
            outcomes_[static_cast<std::size_t>(j)] =
                engine_[j / Engine::lanes].outcome(workload_, j % Engine::lanes, counts);
            counts += values.size();
        }
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

std::unique_ptr<UpperLanes> lanes_of(WorkloadView const& w, LaneType type)
{
    if (type == LaneType::floats) return std::make_unique<LanesOf<float>>(w);
    return std::make_unique<LanesOf<double>>(w);
}

} // namespace
} // namespace crx
