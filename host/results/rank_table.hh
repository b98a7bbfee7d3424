#pragma once

#include "analysis/statistics/basis.hh"
#include "analysis/statistics/estimate.hh"
#include "analysis/statistics/summary.hh"
#include "host/results/measure.hh"

namespace crx {

/// A policy among the others over the cells of one sweep.
struct RankedPolicy
{
    std::size_t policy;             ///< number in the store
    std::optional<Estimate> mean;   ///< of its value, over the cells that are compared
    std::optional<Estimate> behind; ///< its mean minus that of the first; none for the first
    /// Places that it may have: a policy counts as better where the interval of the difference says
    /// so. 0 where it has no place, as its average lacks runs that the others' have.
    std::int64_t least_rank = 0, most_rank = 0;
    std::int64_t best_in = 0;               ///< compared cells in which no policy is better
    CellResult const* worst_cell = nullptr; ///< compared cell of its worst value
    std::optional<Estimate> worst;          ///< its value there
    std::int64_t runs = 0, unfinished = 0;  ///< in all cells of the sweep
    bool has_value = true; ///< in some cell, of what is ranked by; else it has no place
    /// Compared cells in which its interval rests on fewer than ten different ratios, and of the
    /// first of them on what; 0 for a policy that is its own denominator.
    std::int64_t few_cells = 0;
    CellResult const* few_cell = nullptr;
    Basis few = {};
};

/// What policies are ordered by: a measure as panels name it, or, without one, their ratio.
struct RankedBy
{
    std::optional<Measure> measure;
    BaselineKind baseline = BaselineKind::h_sf; ///< of ratios
};

/// Policies of one sweep, best first; those without a place last.
struct RankTable
{
    std::string sweep;
    RankedBy by;
    bool largest_first = false; ///< the larger, the better
    bool ratio_of_means = true; ///< else the mean of ratios, as some instances lack the denominator
    std::int64_t cells = 0;     ///< of the sweep
    std::int64_t compared = 0;  ///< of them, where every policy that has a place has a value
    std::int64_t not_run = 0;   ///< of them, without an instance yet
    std::int64_t partly_run = 0;               ///< of them, of which some policies lack instances
    CellResult const* without_value = nullptr; ///< first with instances that is not compared
    std::vector<RankedPolicy> policies;
    /// Mean differences policy by policy, in the order above: [i][j] is i minus j.
    std::vector<std::vector<std::optional<Estimate>>> differences;
};

/// A table for each sweep, or for cell number `only` alone. Keep `contents` while they live.
///
/// The mean over cells has the mean of the cells' half-widths: whatever draws cells share, that is
/// at least the half-width of the mean (Minkowski). Differences likewise, from those of each cell:
/// paired_difference, request_difference for measures of requests, and for means of ratios and all
/// other measures the sum of both half-widths. In the iteration model `contents` are
/// with_horizons(), of whose cells the last horizon counts.
std::vector<RankTable> rank_tables(StoreContents const& contents, RankedBy const& by,
                                   double confidence, std::optional<std::int64_t> only = {});

/// Whether differences by it are paired.
bool is_paired(RankTable const& table);

} // namespace crx
