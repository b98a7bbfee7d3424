#pragma once

#include "analysis/fluid/nested_groups.hh"
#include "analysis/fluid/overflow_bound.hh"
#include "kernels/engines/iterations/iterate.hh"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace crx {

/// A policy of an iteration experiment, and what the theorems say of its parameters.
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

/// An experiment of the iteration model: SPEC section 8 (docs/iteration.md has the format).
struct IterationExperiment
{
    std::string title;
    fluid::Load load;                      ///< with rates averaged over the slices
    std::vector<std::vector<double>> rate; ///< per slice
    double slice = 0;                      ///< seconds; 0: constant rates
    IterationTime time;
    std::uint64_t seed = 1;
    std::int64_t paths = 0;
    double horizon = 0;         ///< T, seconds
    std::int64_t doublings = 0; ///< zeta = 1, 2, .., 2^doublings
    std::int64_t fit_from = 0;  ///< exponents are of the points from zeta = 2^fit_from on
    double confidence = 0.95;
    bool by_type = false; ///< tallies of each type, too
    std::vector<IterationPolicyEntry> policies;
    std::vector<std::string> notes;            ///< what is to be said aloud of the file's traces
    std::vector<std::filesystem::path> traces; ///< files of [[type]] trace that were read

    /// Throws InputError: file, line, key, value and what is accepted.
    static IterationExperiment read(std::filesystem::path const& file,
                                    std::vector<std::string> const& overrides);
    static IterationExperiment parse(std::string const& text, std::string const& name,
                                     std::vector<std::string> const& overrides = {});

    IterationCell cell(IterationPolicyEntry const& entry) const;
};

} // namespace crx
