#pragma once

#include "kernels/cohort/end_lanes.hh"
#include "kernels/cohort/thread_instances.cuh"
#include "kernels/cohort/upper_lanes.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

/// Engines in lanes as the threads of a card run them, one thread after the other.
namespace crx_test {

/// Which instances did not get by with fast memory.
struct CountsMoves : crx::InstanceLanes
{
    using InstanceLanes::InstanceLanes;
    int moved = 0;
};
inline int instances_moved(crx::InstanceLanes const& lanes)
{
    return dynamic_cast<CountsMoves const&>(lanes).moved;
}

/// Engine: EndLaneEngine or UpperLaneEngine, in the form of threads; T: its numbers. The places of
/// 32 threads lie interleaved, as a warp's do.
template <class Engine, class T, int fields, int lines>
class ThreadsInTurn final : public CountsMoves
{
  public:
    /// `places`: most in use; `near_bytes`: fast memory of a warp.
    ThreadsInTurn(crx::WorkloadView const& w, std::int64_t places, std::int64_t near_bytes)
        : CountsMoves(threads), workload_(w), far_places_(crx::ring_of(places)),
          near_places_(
              crx::near_ring(near_bytes, threads * fields * std::int64_t{sizeof(T)}, far_places_)),
          near_(numbers(near_places_)), far_(numbers(far_places_))
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        auto const classes = workload_.output_value.size();
        std::vector<crx::Outcome> outcome(static_cast<std::size_t>(instances));
        crx::ThreadInstances const all{
            workload_,     first, instances, counts, static_cast<std::int64_t>(classes),
            outcome.data()};
        for (int k = 0; k < instances; ++k) {
            crx::WordStream words(0, 0, 0);
            crx::ThreadLine line[lines];
            std::ranges::fill(near_, untouched);
            std::ranges::fill(far_, untouched);
            Engine engine(workload_,
                          typename Engine::Places(
                              {near_.data() + k, far_.data() + k, near_places_, far_places_}),
                          &words, line);
            all.execute(engine, k);
            EXPECT_TRUE(only_touched(near_, k) && only_touched(far_, k));
            moved += std::ranges::find_if(far_, touched) != far_.end();
            keep(k, outcome[static_cast<std::size_t>(k)], workload_,
                 counts + classes * static_cast<std::size_t>(k));
            auto o = outcome[static_cast<std::size_t>(k)];
            EXPECT_EQ(o, InstanceLanes::outcome(k)); // the latency to the first token
        }
    }

  private:
    static constexpr int threads = crx::ThreadForm<T>::Memory::apart;
    static constexpr T untouched = -1; ///< which no place holds
    static bool touched(T number) { return number != untouched; }

    static std::size_t numbers(std::int32_t places)
    {
        return static_cast<std::size_t>(places * fields * threads);
    }
    /// Whether nothing but the numbers of one thread has changed.
    static bool only_touched(std::vector<T> const& memory, int thread)
    {
        for (std::size_t k = 0; k < memory.size(); ++k)
            if (k % threads != static_cast<std::size_t>(thread) && touched(memory[k])) return false;
        return true;
    }

    crx::WorkloadView workload_;
    std::int32_t far_places_, near_places_;
    std::vector<T> near_, far_;
};

template <class T, bool hidden>
std::unique_ptr<crx::InstanceLanes> thread_end_lanes(crx::WorkloadView const& w,
                                                     std::int64_t near_bytes)
{
    using Engine = crx::EndLaneEngine<crx::ThreadForm<T>, hidden>;
    auto const longest = hidden ? w.interval.upper : w.output_value.back();
    return std::make_unique<ThreadsInTurn<Engine, T, hidden ? 4 : 3, 1>>(
        w, crx::end_lane_steps(w, longest), near_bytes);
}

/// end_lanes() as on a card; null where nothing fits.
inline std::unique_ptr<crx::InstanceLanes>
thread_end_lanes(crx::PolicySpec const& spec, crx::WorkloadView const& w, std::int64_t near_bytes)
{
    bool const hidden = spec.kind == crx::PolicyKind::a_ell;
    switch (crx::end_lanes_fit(spec, w)) {
    case crx::LaneFit::none: return nullptr;
    case crx::LaneFit::floats:
        return hidden ? thread_end_lanes<float, true>(w, near_bytes)
                      : thread_end_lanes<float, false>(w, near_bytes);
    default:
        return hidden ? thread_end_lanes<double, true>(w, near_bytes)
                      : thread_end_lanes<double, false>(w, near_bytes);
    }
}

template <class T, int most>
std::unique_ptr<crx::InstanceLanes> thread_upper_lanes(crx::WorkloadView const& w,
                                                       std::int64_t near_bytes)
{
    using Engine = crx::UpperLaneEngine<crx::ThreadForm<T>, most>;
    return std::make_unique<ThreadsInTurn<Engine, T, 3, most - 1>>(w, Engine::most_places(w),
                                                                   near_bytes);
}

/// upper_lanes() as on a card; null where nothing fits.
inline std::unique_ptr<crx::InstanceLanes> thread_upper_lanes(crx::WorkloadView const& w,
                                                              std::int64_t near_bytes)
{
    bool const two = w.output_value.size() <= 2;
    switch (crx::upper_lanes_fit(w)) {
    case crx::LaneFit::none: return nullptr;
    case crx::LaneFit::floats:
        return two ? thread_upper_lanes<float, 2>(w, near_bytes)
                   : thread_upper_lanes<float, crx::most_upper_classes>(w, near_bytes);
    default:
        return two ? thread_upper_lanes<double, 2>(w, near_bytes)
                   : thread_upper_lanes<double, crx::most_upper_classes>(w, near_bytes);
    }
}

} // namespace crx_test
