#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"
#include "kernels/engines/iterations/iteration_policy.hh"
#include "kernels/engines/iterations/poisson_rates.hh"
#include "kernels/model/launch_monitor.hh"
#include "kernels/model/measures.hh"

#include <cstdint>
#include <vector>

namespace crx {

/// Everything that determines a path of the iteration model, but for its number.
struct IterationCell
{
    IterationTime time;
    std::vector<PromptType> types;
    PoissonRates arrivals;
    IterationPolicySpec policy;
    std::uint64_t seed = 1;
    std::vector<Nanoseconds> checkpoints; ///< ascending; a shorter horizon is a prefix of the path
    MeasureChoice measures = {};          ///< of prompts; any: all policies tell prompts apart
};

/// Tallies of one path, one a checkpoint. A function of the cell and the path's number.
std::vector<IterationTally> execute_path(IterationCell const& cell, std::int64_t path);

/// Tallies of one path, one a checkpoint, with those of each type: types[c][j] at checkpoint c, and
/// where the cell asks for measures, those of the prompts up to it: measures[c].
struct TypedPath
{
    std::vector<IterationTally> tallies;
    std::vector<std::vector<TypeTally>> types;
    std::vector<MeasureGroup> measures = {};
    bool operator==(TypedPath const&) const = default;
};

/// Tallies of `count` paths from `first` on, run by all threads that oneTBB has: path by path, in
/// order. A path that was given up or not begun, because stop_condition was over, is empty.
std::vector<std::vector<IterationTally>> launch_paths(IterationCell const& cell, std::int64_t first,
                                                      std::int64_t count,
                                                      StopCondition const& stop_condition = {});
/// launch_paths with tallies by type, and the measures that the cell asks for; the prompts of
/// nested-wait are told apart, which takes longer, with measures those of wait, too.
std::vector<TypedPath> launch_typed_paths(IterationCell const& cell, std::int64_t first,
                                          std::int64_t count,
                                          StopCondition const& stop_condition = {});

} // namespace crx
