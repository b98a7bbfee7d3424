#pragma once

#include "host/results/path_points.hh"

#include <nlohmann/json_fwd.hpp>

namespace crx {

/// An exponent of the horizon (fluid::Exponent), of all horizons and of the later half of them.
struct PathExponent
{
    fluid::Exponent all, later;
    /// They differ by more than both half-widths and by 5 %: the horizons are not near the limit.
    bool changing() const;
};

/// A policy of the iteration model in a cell, at its last horizon.
struct RankedPaths
{
    std::size_t policy = 0;    ///< number in the store
    fluid::HorizonPoint point; ///< over `paths` of them; means over requests over `with_arrivals`
    std::int64_t paths = 0, with_arrivals = 0;
    /// Of its mean latency minus the first's, path by path; none of the first.
    std::optional<fluid::PathMean> behind;
    /// Places by mean latency that it may have: another counts as better where the interval of
    /// their difference, path by path, says so. 0 where it has no latency.
    std::int64_t least_rank = 0, most_rank = 0;
    std::optional<PathExponent> gap, latency, first_token; ///< none of one horizon
};

/// Policies of a cell, the lowest mean latency first.
struct PathRankTable
{
    CellResult const* cell = nullptr; ///< split at the last horizon
    std::vector<RankedPaths> policies;
};

/// A table for each cell that has paths, or for cell number `only` alone. `contents` is as
/// with_horizons() splits it; keep it while they live.
std::vector<PathRankTable> path_rank_tables(StoreContents const& contents, double confidence,
                                            std::optional<std::int64_t> only = {});

std::string path_rank_text(StoreContents const& contents, std::vector<PathRankTable> const& tables,
                           double confidence);

/// A list with a row for each policy of each cell.
nlohmann::ordered_json path_rank_json(StoreContents const& contents,
                                      std::vector<PathRankTable> const& tables);

} // namespace crx
