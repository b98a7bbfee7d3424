#pragma once

#include "analysis/fluid/nested_groups.hh"
#include "analysis/fluid/thresholds.hh"
#include "host/input/config_value.hh"
#include "host/input/trace_rows.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <optional>
#include <string>
#include <vector>

namespace crx {

/// A policy of the iteration model, and what the theorems say of its parameters.
struct IterationPolicyEntry
{
    std::string id, label;
    IterationPolicySpec spec;
    std::vector<std::int64_t> thresholds;           ///< of wait, nested-wait, group by group
    std::vector<fluid::NestedLoad> groups;          ///< of nested-wait
    Tokens batch_tokens = 0;                        ///< M^pi of wait, nested-wait
    std::string broken;                             ///< what of (9) or (10) fails; empty: nothing
    std::optional<double> delta;                    ///< of (12), where the file gives it
    std::optional<fluid::MemoryBound> memory_bound; ///< (12) at the longest horizon
    std::optional<double> batch_tokens_as_printed;  ///< (11), where the file asks for it
};

/// One cell of the iteration model (docs/model.md#iteration-model): load, machine, horizons and
/// policies as numbers. docs/iteration.md has the keys.
struct IterationSetting
{
    fluid::Load load;                      ///< with rates averaged over the slices
    std::vector<std::vector<double>> rate; ///< per slice
    double slice = 0;                      ///< seconds; 0: constant rates
    IterationTime time;
    std::uint64_t seed = 1;
    double horizon = 0;          ///< T, seconds
    std::int64_t doublings = 0;  ///< zeta = 1, 2, .., 2^doublings
    bool by_type = false;        ///< sums of each type are kept, too
    MeasureChoice measures = {}; ///< of prompts
    PoissonRates arrivals;
    std::vector<IterationPolicyEntry> policies;
    std::vector<std::string> notes; ///< what was read of traces
    /// Rows of traces that were left out, by source name and why.
    std::vector<std::pair<std::string, std::int64_t>> left_out;

    /// Every horizon in seconds, ascending.
    std::vector<double> horizons() const;
    /// What the engine runs for a policy.
    IterationCell cell(IterationPolicyEntry const& entry) const;
    /// Canonical JSON of all that the sums of the cell's paths depend on.
    std::string identity() const;
};

/// Reads [workload], [run] and all [[policy]] of a document whose numbers are numbers. Throws
/// InputError: file, line, key, value and what is accepted.
IterationSetting read_iteration_setting(ConfigValue const& document, TraceFiles& traces,
                                        std::uint64_t seed);

/// zeta T for zeta = 1, 2, 4, .., 2^doublings.
std::vector<double> doubled_horizons(double horizon, std::int64_t doublings);

} // namespace crx
