#pragma once

#include "kernels/cuda/device_batch.cuh"
#include "kernels/engines/cell.hh"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace crx {

/// The cells of a batch. They are of one kind (kind_of): their runs are the same policies by the
/// same engines.
struct GpuCells
{
    std::vector<Cell const*> cells;
    std::vector<CellEngines const*> engines;

    Cell const& first() const { return *cells.front(); }
    PolicyEngines const& run(std::size_t k) const { return engines.front()->runs[k]; }
    /// The most that any cell needs: bytes(spec, workload) of the run.
    template <class Bytes>
    std::size_t most(std::size_t k, Bytes bytes) const
    {
        std::size_t most = 0;
        for (auto const* const of : engines)
            most = std::max(most, bytes(of->runs[k].spec, of->runs[k].where.workload));
        return most;
    }
};

/// Cells of one kind run in one batch, and by the engines that were the fastest for others of it:
/// their policies, engines and baselines are the same, and they have about as many requests.
std::string kind_of(Cell const& cell, CellEngines const& engines);

/// Whether every batch's requests are written before anything runs: somebody reads them for sure.
bool writes_requests(Cell const& cell, CellEngines const& engines);

/// Runs one batch and adds its sums: ranges[c], *tallies[c] of the c-th cell, which are of that
/// kind. `room`: what an instance takes, and how many there are in all. Waits.
void run_batch(GpuCells const& cells, std::vector<InstanceRange> const& ranges,
               std::string const& kind, GpuBatch const& room, std::vector<Tally*> const& tallies);

} // namespace crx
