#pragma once

#include "host/results/results.hh"
#include "kernels/model/requests.cuh"

#include <optional>
#include <string>

namespace crx::report {

/// The instance of a cell on which a policy does worst: of the round model that of the largest
/// ratio to the baseline (none where there is no ratio), of the iteration model the path of the
/// largest mean latency up to the cell's horizon.
std::optional<std::int64_t> worst_instance(CellResult const& cell, std::size_t policy,
                                           BaselineKind baseline);

/// The command that runs an instance again under one policy.
std::string replay_line(std::string const& store, std::int64_t cell, std::int64_t instance,
                        std::string const& label);

} // namespace crx::report
