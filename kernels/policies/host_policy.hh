#pragma once

#include "kernels/model/requests.cuh"

#include <string>
#include <utility>
#include <vector>

namespace crx {

/// A policy that is run on the CPU alone, by itself: it orders requests by linear programs, by keys
/// of the user's own, or asks another program.
class HostPolicy
{
  public:
    virtual ~HostPolicy() = default;

    /// What it does with an instance: a function of the arguments alone. Called by several threads
    /// at once; what it throws ends the run. Contract: every request fits; `log` is followed as by
    /// a portable engine (kernels/engines/registry.hh).
    virtual Outcome run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                        ScheduleLog const& log) const = 0;

    /// All that the outcome depends on beside the instance, as names and values: the id first.
    virtual std::vector<std::pair<std::string, std::string>> identity() const = 0;
};

/// A policy that knows all requests beforehand and only decides in which order they are served: by
/// the prefix rule with true lengths (docs/model.md#prefix-rule), which the engines know. Such an
/// order may cost far more than the run, and may take whatever a CPU has, so it is made on the host
/// only.
class OfflineOrder : public HostPolicy
{
  public:
    /// Indices of the requests, first the one to be served first: a function of the arguments
    /// alone. Called by several threads at once. Contract: every arrival is 0, every request fits.
    virtual std::vector<std::size_t> order(Requests const& requests, std::uint64_t seed,
                                           std::int64_t instance) const = 0;

    /// Serves in that order (kernels/engines/lists/execute_list.hh). An order may take seconds to
    /// make: log.abort_asked is asked before and after.
    Outcome run(Requests const& requests, std::uint64_t seed, std::int64_t instance,
                ScheduleLog const& log) const final;
};

} // namespace crx
