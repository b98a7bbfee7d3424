#pragma once

#include "host/experiment/paths.hh"
#include "host/store/tables.hh"
#include "kernels/model/tally.cuh"

namespace crx {

/// A cell and its sums over all instances in the store.
struct CellResult : StoredCell
{
    /// That some policy has run: all have, but while what is new is being run (runs_of).
    std::int64_t instances = 0;
    /// Of the round model: one a policy, in the header's order, also where there are no instances.
    Tally tally = {};
    /// Of each policy the engines that ran it, one after the other by name; empty: not known.
    std::vector<std::string> engines = {};
    std::vector<std::string> commits = {};      ///< of the programs that ran it, each once, by name
    std::shared_ptr<PathSums const> paths = {}; ///< of the iteration model; null in the other
    std::shared_ptr<PathMeasures const> measures = {}; ///< likewise; its policies may have none
    std::shared_ptr<PathFacts const> facts = {};       ///< likewise
    /// A cell of the iteration model as with_horizons() splits it: which horizon and, where
    /// type >= 0, which type.
    std::size_t horizon = 0;
    std::int64_t type = -1;
};

/// Instances of the cell that a policy has run.
inline std::int64_t runs_of(CellResult const& cell, std::size_t policy)
{
    if (cell.paths != nullptr) return static_cast<std::int64_t>(cell.paths->at(policy).size());
    auto const& sums = cell.tally.at(policy).sums;
    return sums.count + sums.unfinished;
}

/// All of a store at one moment.
struct StoreContents
{
    StoreHeader header;
    /// By sweep in plan order, then by coordinates as numbers: not by the order of execution.
    std::vector<CellResult> cells;
    std::vector<StoredRun> runs; ///< by number
};

/// Whether measures of requests of the round model are read, which take longest.
enum class ReadMeasures
{
    yes,
    no
};

/// Reads a store, also while another program adds to it. Throws InputError where the file is not
/// there, not a store, or damaged.
StoreContents read_store(std::filesystem::path const& file,
                         ReadMeasures measures = ReadMeasures::yes);

} // namespace crx
