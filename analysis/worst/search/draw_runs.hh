#pragma once

#include "analysis/worst/search/objective.hh"
#include "kernels/engines/cell.hh"
#include "kernels/model/host_generator.hh"

#include <memory>
#include <optional>

namespace crx::worst {

/// One thread's runs of a random policy: many draws of one instance after another, by the engine
/// that a sweep would take, so side by side where one takes them so.
class DrawRuns
{
  public:
    DrawRuns(PolicySpec const& spec, std::uint64_t seed);

    /// Cost::sum: of draws 0 .. draws - 1. Contract: TEL or the makespan.
    std::optional<std::int64_t> sum(OwnedInstance const& instance, std::int64_t draws,
                                    Measure measure);

  private:
    class SameInstance;

    void make_room(OwnedInstance const& instance);

    Cell cell_;
    std::shared_ptr<SameInstance> source_;
    std::optional<HostGenerator> generator_;
    std::optional<CellEngines> engines_; ///< of instances as large as cell_.workload
};

} // namespace crx::worst
