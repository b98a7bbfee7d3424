#pragma once

#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace crx {

/// Baselines that need solvers or searches (BaselineKind from engine_baselines on). They cost far
/// more than a run and allocate as they go, so they are made on the host only.
class HostBaselines
{
  public:
    virtual ~HostBaselines() = default;

    /// Writes value[k] for those BaselineKind k that it was made for; 0 where this instance has
    /// none. A function of the requests alone unless `stop` says true: then it may return at once
    /// with anything. Called by several threads at once. Contract: unit clock, every request fits.
    virtual void evaluate(Requests const& requests, std::function<bool()> const& stop,
                          std::int64_t* value) const = 0;

    /// All that the values depend on beside the instance, as names and values.
    virtual std::vector<std::pair<std::string, std::string>> identity() const = 0;
};

} // namespace crx
