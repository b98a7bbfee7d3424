#pragma once

#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/cohorts/thread_instances.cuh"
#include "kernels/policies/ladder.cuh"
#include "support/fiber_warp.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

/// Engines in lanes as the threads of a GPU run them.
namespace crx_test {

/// ThreadForm's Warp, of the threads of fiber_warp().
struct ModelWarp
{
    static constexpr int threads = FiberWarp::lanes;

    static unsigned ballot(bool mine) { return __ballot_sync(~0u, mine); }
    /// Runs body(thread) in each of them.
    static void run(std::function<void(int)> const& body)
    {
        fiber_warp().run(1, [&] { body(static_cast<int>(threadIdx.x)); });
    }
};

/// Which instances did not get by with fast memory.
struct CountsMoves : crx::InstanceBatch
{
    using InstanceBatch::InstanceBatch;
    int moved = 0;
};
inline int instances_moved(crx::InstanceBatch const& lanes)
{
    return dynamic_cast<CountsMoves const&>(lanes).moved;
}

/// Engine: FixedLengthBatchEngine or AMaxBatchEngine, as threads run it; T: its numbers.
/// Threads of one warp, their places interleaved as a GPU's are.
template <class Engine, class T, int fields, int lines>
class ThreadsOfWarp final : public CountsMoves
{
  public:
    /// `places`: most in use; `near_bytes`: fast memory of a warp.
    ThreadsOfWarp(crx::WorkloadView const& w, std::int64_t places, std::int64_t near_bytes)
        : CountsMoves(threads), workload_(w), far_places_(crx::ring_of(places)),
          near_places_(
              crx::near_ring(near_bytes, threads * fields * std::int64_t{sizeof(T)}, far_places_)),
          near_(numbers(near_places_)), far_(numbers(far_places_)),
          lines_(crx::ThreadLines::of(w, lines, true)),
          rows_(static_cast<std::size_t>(lines_.words()))
    {
    }

    void execute(std::int64_t first, int instances, std::int64_t const* counts) override
    {
        auto const classes = static_cast<std::int64_t>(workload_.output_value.size());
        crx::Outcome outcome[threads];
        auto const execute_one = [&](Engine& engine, int k) {
            crx::execute_by_thread(engine, workload_, first + k, k < instances,
                                   counts + classes * k, outcome + k);
        };
        std::ranges::fill(near_, untouched);
        std::ranges::fill(far_, untouched);
        bool moves[threads];
        ModelWarp::run([&](int thread) {
            crx::WordStream words(0, 0, 0);
            crx::ThreadLine line[lines];
            lines_.open(rows_.data(), thread, line);
            Engine engine(workload_,
                          typename Engine::Places({near_.data() + thread, far_.data() + thread,
                                                   near_places_, far_places_}),
                          &words, line);
            execute_one(engine, thread);
            meet(thread, [&] {
                for (int k = 0; k < threads; ++k) moves[k] = touched(far_, k);
            });
            // The engine is kept, as a GPU's thread keeps it: nothing of another instance stays.
            execute_one(engine, thread < instances ? instances - 1 - thread : thread);
            meet(thread, [] {});
            execute_one(engine, thread);
        });
        for (int k = 0; k < threads; ++k) {
            moved += moves[k];
            EXPECT_EQ(touched(far_, k), moves[k]);
            EXPECT_TRUE(k < instances || !(touched(near_, k) || touched(far_, k)));
        }
        for (int k = 0; k < instances; ++k, counts += classes) {
            keep(k, outcome[k], workload_, counts);
            EXPECT_EQ(outcome[k], InstanceBatch::outcome(k)); // the latency to the first token
        }
    }

  private:
    static constexpr int threads = ModelWarp::threads;
    static constexpr T untouched = -1; ///< which no place holds

    /// Where all threads have come, one does this and forgets what they wrote.
    template <class Do>
    void meet(int thread, Do look)
    {
        ModelWarp::ballot(true);
        if (thread == 0) {
            look();
            std::ranges::fill(near_, untouched);
            std::ranges::fill(far_, untouched);
        }
        ModelWarp::ballot(true);
    }
    static std::size_t numbers(std::int32_t places)
    {
        return static_cast<std::size_t>(places * fields * threads);
    }
    /// Whether any number of a thread has changed.
    static bool touched(std::vector<T> const& memory, int thread)
    {
        for (auto k = static_cast<std::size_t>(thread); k < memory.size(); k += threads)
            if (memory[k] != untouched) return true;
        return false;
    }

    crx::WorkloadView workload_;
    std::int32_t far_places_, near_places_;
    std::vector<T> near_, far_;
    crx::ThreadLines lines_;
    std::vector<std::uint64_t> rows_;
};

template <class T, bool hidden>
std::unique_ptr<crx::InstanceBatch> thread_fixed_length_batch(crx::WorkloadView const& w,
                                                              std::int64_t near_bytes)
{
    using Engine = crx::FixedLengthBatchEngine<crx::ThreadForm<T, ModelWarp>, hidden>;
    auto const longest = hidden ? w.interval.upper : w.output_value.back();
    return std::make_unique<ThreadsOfWarp<Engine, T, hidden ? 4 : 3, 1>>(
        w, crx::fixed_length_batch_steps(w, longest), near_bytes);
}

/// fixed_length_batch() as on a GPU; null where nothing fits.
inline std::unique_ptr<crx::InstanceBatch> thread_fixed_length_batch(crx::PolicySpec const& spec,
                                                                     crx::WorkloadView const& w,
                                                                     std::int64_t near_bytes)
{
    bool const hidden = spec.kind == crx::PromoteLower::kind;
    switch (crx::fixed_length_batch_fit(spec, w)) {
    case crx::LaneFit::none: return nullptr;
    case crx::LaneFit::floats:
        return hidden ? thread_fixed_length_batch<float, true>(w, near_bytes)
                      : thread_fixed_length_batch<float, false>(w, near_bytes);
    default:
        return hidden ? thread_fixed_length_batch<double, true>(w, near_bytes)
                      : thread_fixed_length_batch<double, false>(w, near_bytes);
    }
}

template <class T, int most>
std::unique_ptr<crx::InstanceBatch> thread_a_max_batch(crx::WorkloadView const& w,
                                                       std::int64_t near_bytes)
{
    using Engine = crx::AMaxBatchEngine<crx::ThreadForm<T, ModelWarp>, most>;
    return std::make_unique<ThreadsOfWarp<Engine, T, 3, most - 1>>(w, Engine::most_places(w),
                                                                   near_bytes);
}

/// a_max_batch() as on a GPU; null where nothing fits.
inline std::unique_ptr<crx::InstanceBatch> thread_a_max_batch(crx::WorkloadView const& w,
                                                              std::int64_t near_bytes)
{
    bool const two = w.output_value.size() <= 2;
    switch (crx::a_max_batch_fit(w)) {
    case crx::LaneFit::none: return nullptr;
    case crx::LaneFit::floats:
        return two ? thread_a_max_batch<float, 2>(w, near_bytes)
                   : thread_a_max_batch<float, crx::most_a_max_lengths>(w, near_bytes);
    default:
        return two ? thread_a_max_batch<double, 2>(w, near_bytes)
                   : thread_a_max_batch<double, crx::most_a_max_lengths>(w, near_bytes);
    }
}

} // namespace crx_test
