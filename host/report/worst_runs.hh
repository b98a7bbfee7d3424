#pragma once

#include "host/report/section.hh"

namespace crx::report {

/// A run on which a policy does worst.
struct WorstRun
{
    CellResult const* cell;
    std::size_t policy;
    std::int64_t instance;
    double value; ///< its ratio to the first baseline; of the iteration model its mean latency,
                  ///< seconds
};

/// The worst run of each policy in the store, the worst of them first. Empty where the round model
/// has no baseline.
std::vector<WorstRun> worst_runs(StoreContents const& contents);

} // namespace crx::report
