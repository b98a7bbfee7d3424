#pragma once

#include "kernels/engines/cohorts/instance_batch.hh"
#include "support/random_composition.hh"
#include "support/run_cohort.hh"

#include <gtest/gtest.h>

/// Instances in lanes against the cohort engine, one by one.
namespace crx_test {

/// How many were run in floats, in doubles, and not at all.
struct LaneRuns
{
    int floats = 0, doubles = 0, none = 0;
};

/// The composition of every instance: some requests of a class, or all, are of another in this lane
/// alone.
inline std::vector<std::int64_t> counts_of(crx::Workload const& w, int instances,
                                           std::mt19937_64& rng)
{
    std::vector<std::int64_t> counts;
    for (int k = 0; k < instances; ++k) {
        auto own = w.output_count;
        auto const from = rng() % own.size(), to = rng() % own.size();
        if (from != to) {
            auto const moved = rng() % 2 == 0 ? own[from] : pick_between(rng, 0, own[from]);
            own[to] += moved;
            own[from] -= moved;
        }
        counts.insert(counts.end(), own.begin(), own.end());
    }
    return counts;
}

/// Outputs l and u alone, as a-ell needs it: the first and the last, or one of them.
inline void keep_ends(crx::Workload& w, std::mt19937_64& rng)
{
    auto const half = w.requests / 2, rest = w.requests - half;
    w.output_value = {w.interval.lower, w.interval.upper};
    w.output_count = {half, rest};
    if (w.interval.lower == w.interval.upper || rng() % 10 == 0) {
        w.output_value.resize(1);
        w.output_count = {w.requests};
    } else if (rng() % 10 == 0) {
        w.output_value.erase(w.output_value.begin());
        w.output_count = {w.requests};
    }
}

/// Each lane against the cohort engine alone; true if all fields agree, events included. `lanes`
/// may be null; `in_floats`: how many they are in floats. `planted`: a request of the first class
/// is told to the engine alone as one of the last.
inline bool lanes_agree(crx::PolicySpec const& spec, crx::Workload w, crx::InstanceBatch* lanes,
                        int in_floats, std::mt19937_64& rng, LaneRuns& runs, bool planted = false)
{
    if (lanes == nullptr) return ++runs.none, true;
    ++(lanes->lanes() == in_floats ? runs.floats : runs.doubles);
    bool same = true;
    for (int round = 0; round < 2; ++round) { // a second one: nothing is left of the first
        auto const instances = static_cast<int>(pick_between(rng, 1, lanes->lanes()));
        auto const first = pick_between(rng, 0, 1000);
        auto const counts = counts_of(w, instances, rng);
        lanes->execute(first, instances, counts.data());
        auto from = counts.begin();
        for (int k = 0; k < instances; ++k) {
            std::copy_n(from, w.output_count.size(), w.output_count.begin());
            from += static_cast<std::ptrdiff_t>(w.output_count.size());
            if (planted && w.output_count.front() > 0) {
                --w.output_count.front();
                ++w.output_count.back();
            }
            auto const alone = by_cohorts(spec, w, first + k);
            auto const& lane = lanes->outcome(k);
            same = same && alone == lane;
            if (planted) continue;
            EXPECT_EQ(alone.total_latency, lane.total_latency);
            EXPECT_EQ(alone.makespan, lane.makespan);
            EXPECT_EQ(alone.peak_memory, lane.peak_memory);
            EXPECT_EQ(alone.events, lane.events);
            EXPECT_EQ(alone.cancellations, lane.cancellations);
            EXPECT_EQ(alone, lane) << "lane " << k;
        }
    }
    return same;
}

} // namespace crx_test
