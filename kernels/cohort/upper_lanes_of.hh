#pragma once

#include "kernels/cohort/upper_lane_engine.hh"
#include "kernels/cohort/upper_lanes_forms.hh"

// CPU only, as upper_lane_engine.hh.

namespace crx {
namespace {

template <class T>
class LanesOf final : public UpperLanes
{
  public:
    explicit LanesOf(WorkloadView const& w) : workload_(w), engine_(w)
    {
        outcomes_.resize(UpperLaneEngine<T>::lanes);
    }
    int lanes() const override { return UpperLaneEngine<T>::lanes; }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        auto const& values = workload_.output_value;
        engine_.open(workload_, first, instances, counts);
        // Two sizes: what is known of two classes stays in registers.
        if (values.size() <= 2)
            run_two();
        else
            run_most();
        for (int j = 0; j < instances; ++j) {
            auto& outcome = outcomes_[static_cast<std::size_t>(j)] = engine_.outcome(j);
            outcome.total_latency = outcome.first_token_latency;
            for (std::size_t k = 0; k < values.size(); ++k, ++counts) {
                outcome.first_token_latency += *counts;
                outcome.total_latency += *counts * values[k];
            }
        }
    }

  private:
    [[gnu::noinline]] void run_two() { engine_.template run<2>(); }
    [[gnu::noinline]] void run_most() { engine_.template run<UpperLaneEngine<T>::most_classes>(); }

    WorkloadView workload_;
    UpperLaneEngine<T> engine_;
};

std::unique_ptr<UpperLanes> lanes_of(WorkloadView const& w, LaneType type)
{
    if (type == LaneType::floats) return std::make_unique<LanesOf<float>>(w);
    return std::make_unique<LanesOf<double>>(w);
}

} // namespace
} // namespace crx
