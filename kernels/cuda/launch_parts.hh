#pragma once

#include "kernels/engines/cell.hh"

#include <cstdint>
#include <functional>

namespace crx {

/// How many instances a launch on a GPU may take so that it lasts about as long as is wanted: a
/// GPU cannot be stopped in between, and one that also drives a screen ends what lasts for
/// seconds.
class LaunchSize
{
  public:
    explicit LaunchSize(double seconds = 0.1) : seconds_(seconds) {}

    /// Of the first launch few: how long they take is unknown.
    static constexpr std::int64_t first = 1024;

    std::int64_t instances() const { return instances_; }

    /// A launch of so many lasted so long. Then the next takes at most eight times as many, or an
    /// eighth. Fewer are no use where they take as long: a GPU that they do not fill takes one
    /// instance's time.
    void took(std::int64_t instances, double seconds);

  private:
    double seconds_;
    std::int64_t instances_ = first;
    std::int64_t floor_ = 1;
    std::int64_t before_ = 0; ///< the launch before, which was too long; 0: it was not
    double before_seconds_ = 0;
};

/// A launch that says by count 0 that it was given up.
using LaunchPart = std::function<Launched(Cell const&, InstanceRange, StopCondition const&)>;

/// Runs the range by `launch`, part after part of about a tenth of a second, and asks
/// stop_condition between them. What is not begun then, or is given up, is not in what comes back;
/// the engines' names are left out. Sizes are remembered by cell (VariantTimes::key_of), as a
/// cell's chunks come one by one.
Launched launch_in_parts(LaunchPart const& launch, Cell const& cell, InstanceRange range,
                         StopCondition const& stop_condition);

/// What the engine `cohorts` takes on a GPU.
struct CohortMemory
{
    std::size_t bytes = 0; ///< of an instance, the volume bound's among them
    /// Another engine can run every policy, and `cohorts` then runs some instances, to be compared.
    bool compared_only = false;
};

/// `engines`: those of the cell on a GPU. Contract: any_by_cohorts(cell).
CohortMemory cohort_memory(Cell const& cell, CellEngines const& engines);

/// How many instances a GPU holds at a time.
struct GpuSlots
{
    std::int64_t slots = 0;   ///< their requests, counts and results; at most as many as are wanted
    std::int64_t engines = 0; ///< of these, the arrays of engines; 1 to slots. 0: no instance fits
};

/// `slot` and `engine`: bytes of each. most_engines: no more instances need arrays at a time; if
/// these are fewer than all, arrays take half of the memory at most. As many instances are held as
/// with arrays for all, or more. Contract: all numbers above 0, `engine` not below.
GpuSlots gpu_slots(std::size_t bytes, std::int64_t wanted, std::size_t slot, std::size_t engine,
                   std::int64_t most_engines);

} // namespace crx
