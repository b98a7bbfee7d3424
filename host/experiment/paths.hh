#pragma once

#include "host/experiment/iteration_setting.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <string>

namespace crx {

/// Sums of one path of the iteration model under one policy.
struct PathRecord
{
    std::int64_t path = 0;
    std::vector<IterationTally> tallies;       ///< one a horizon
    std::vector<std::vector<TypeTally>> types; ///< types[c][j] at horizon c; may be empty
    bool operator==(PathRecord const&) const = default;
};

/// Of every policy, paths in ascending order. They are kept one by one and not added up, because
/// intervals and exponents come from how the paths differ (docs/decisions/053).
using PathSums = std::vector<std::vector<PathRecord>>;

/// Of every policy, measures of its paths' prompts, one a horizon: path p is in group p modulo
/// measure_groups. Empty where none are kept.
using PathMeasures = std::vector<std::vector<MeasureSums>>;

/// The first `count` paths of a range.
struct PathChunk
{
    PathSums sums;
    PathMeasures measures;
    std::int64_t count = 0;
};

/// What a cell of the iteration model says of its paths before any of them has run.
struct PathFacts
{
    std::vector<Tokens> capacity;      ///< of each policy; 0: no limit
    std::vector<PromptType> types;     ///< prompt and output lengths
    std::vector<Nanoseconds> horizons; ///< ascending
    bool by_type = false;              ///< sums of each type are kept
};

/// Reads them from IterationSetting::identity(). Throws std::exception where the text is damaged.
PathFacts path_facts(std::string const& identity);

/// What runs the paths of one policy, and why the others do not.
struct PathEngine
{
    std::string name, summary;
    std::vector<std::pair<std::string, std::string>> others; ///< engine, why it does not
};

/// The choice of kernels/engines/iterations for a policy of the setting, the same on the CPU and on
/// a GPU.
PathEngine path_engine(IterationPolicySpec const& policy, IterationSetting const& setting);

/// Why a GPU cannot run the setting's paths; empty where it can.
std::string why_not_on_gpu(IterationSetting const& setting);

// Paths of all policies of a setting, or as many of the first ones as stop_condition allows: the
// same integers wherever they run.

/// On all threads that oneTBB has.
PathChunk launch_paths_host(IterationSetting const& setting, InstanceRange range,
                            StopCondition const& stop_condition);
/// On the current CUDA device. Contract: why_not_on_gpu is empty.
PathChunk launch_paths_gpu(IterationSetting const& setting, InstanceRange range,
                           StopCondition const& stop_condition);

} // namespace crx
