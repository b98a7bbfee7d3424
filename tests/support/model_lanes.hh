#pragma once

#include "kernels/cohort/end_lanes.hh"
#include "kernels/cohort/lane_groups.cuh"
#include "kernels/cohort/upper_lanes.hh"
#include "support/model_warp.hh"

#include <memory>
#include <vector>

/// Engines in lanes as a card runs them, an instance a thread of a warp, with fibres for threads.
namespace crx_test {

/// Engine: EndLaneEngine or UpperLaneEngine, in the form of threads; T: its numbers.
template <class Engine, class T, int fields, int lines>
class ModelLanes final : public crx::InstanceLanes
{
  public:
    /// `places`: most in use; `near_bytes`: fast memory of the warp.
    ModelLanes(crx::WorkloadView const& w, std::int64_t places, std::int64_t near_bytes)
        : InstanceLanes(32), workload_(w)
    {
        memory_.far_places = crx::ring_of(places);
        memory_.near_places =
            crx::near_ring(near_bytes, 32 * fields * std::int64_t{sizeof(T)}, memory_.far_places);
        near_.resize(static_cast<std::size_t>(memory_.near_places * fields * 32));
        far_.resize(static_cast<std::size_t>(memory_.far_places * fields * 32));
        memory_.near = near_.data();
        memory_.far = far_.data();
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        std::vector<crx::Outcome> outcome(static_cast<std::size_t>(instances));
        crx::LaneGroups const groups{workload_,
                                     first,
                                     instances,
                                     counts,
                                     static_cast<std::int64_t>(workload_.output_value.size()),
                                     outcome.data()};
        ModelWarp::run([&] {
            crx::WordStream words(0, 0, 0);
            crx::ThreadLine line[lines];
            Engine engine(workload_, typename Engine::Places(memory_), &words, line);
            groups.execute<ModelWarp>(engine, 0);
        });
        for (int k = 0; k < instances; ++k)
            keep(k, outcome[static_cast<std::size_t>(k)], workload_,
                 counts + workload_.output_value.size() * static_cast<std::size_t>(k));
    }

  private:
    template <class Number>
    using Form = crx::ThreadForm<Number, ModelWarp>;

    crx::WorkloadView workload_;
    std::vector<T> near_, far_;
    typename Form<T>::Memory memory_;
};

template <class T, bool hidden>
std::unique_ptr<crx::InstanceLanes> model_end_lanes(crx::WorkloadView const& w,
                                                    std::int64_t near_bytes)
{
    using Engine = crx::EndLaneEngine<crx::ThreadForm<T, ModelWarp>, hidden>;
    auto const longest = hidden ? w.interval.upper : w.output_value.back();
    return std::make_unique<ModelLanes<Engine, T, hidden ? 4 : 3, 1>>(
        w, crx::end_lane_steps(w, longest), near_bytes);
}

/// end_lanes() as on a card; null where nothing fits.
inline std::unique_ptr<crx::InstanceLanes>
model_end_lanes(crx::PolicySpec const& spec, crx::WorkloadView const& w, std::int64_t near_bytes)
{
    bool const hidden = spec.kind == crx::PolicyKind::a_ell;
    switch (crx::end_lanes_fit(spec, w)) {
    case crx::LaneFit::none: return nullptr;
    case crx::LaneFit::floats:
        return hidden ? model_end_lanes<float, true>(w, near_bytes)
                      : model_end_lanes<float, false>(w, near_bytes);
    default:
        return hidden ? model_end_lanes<double, true>(w, near_bytes)
                      : model_end_lanes<double, false>(w, near_bytes);
    }
}

template <class T, int most>
std::unique_ptr<crx::InstanceLanes> model_upper_lanes(crx::WorkloadView const& w,
                                                      std::int64_t near_bytes)
{
    using Engine = crx::UpperLaneEngine<crx::ThreadForm<T, ModelWarp>, most>;
    return std::make_unique<ModelLanes<Engine, T, 3, most - 1>>(w, Engine::most_places(w), near_bytes);
}

/// upper_lanes() as on a card; null where nothing fits.
inline std::unique_ptr<crx::InstanceLanes> model_upper_lanes(crx::WorkloadView const& w,
                                                             std::int64_t near_bytes)
{
    bool const two = w.output_value.size() <= 2;
    switch (crx::upper_lanes_fit(w)) {
    case crx::LaneFit::none: return nullptr;
    case crx::LaneFit::floats:
        return two ? model_upper_lanes<float, 2>(w, near_bytes)
                   : model_upper_lanes<float, crx::most_upper_classes>(w, near_bytes);
    default:
        return two ? model_upper_lanes<double, 2>(w, near_bytes)
                   : model_upper_lanes<double, crx::most_upper_classes>(w, near_bytes);
    }
}

} // namespace crx_test
