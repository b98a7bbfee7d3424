#pragma once

#include "host/experiment/experiment.hh"
#include "host/sweep/coverage.hh"
#include "host/sweep/plan.hh"
#include "kernels/model/requests.cuh"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace crx {

/// Instances of [0, target) that lie in none of the ranges, ascending and not empty. The ranges are
/// disjoint and ascending; some may reach past the target.
std::vector<InstanceRange> uncovered(std::vector<InstanceRange> const& ranges, std::int64_t target);

/// Instances of `ranges` that lie in none of `done`; both are disjoint and ascend.
std::vector<InstanceRange> without(std::vector<InstanceRange> const& ranges,
                                   std::vector<InstanceRange> const& done);

/// Instances in disjoint ranges.
std::int64_t total(std::vector<InstanceRange> const& ranges);

/// Instances of a cell that are to be run.
struct CellRanges
{
    PlannedCell cell;                  ///< without workload
    std::int64_t index = 0;            ///< of the cell in a store of the whole experiment
    std::vector<InstanceRange> ranges; ///< ascending, disjoint, not empty
};

/// The part of a cell that has to run for the sums in `missing`: its policies that lack something,
/// divided by the baselines that some policy lacks. Every policy draws what it draws in the whole
/// cell; for that one more policy may run.
struct RestrictedCell
{
    std::shared_ptr<Cell const> cell;              ///< of the round model
    std::shared_ptr<IterationSetting const> paths; ///< of the iteration model
    std::vector<std::size_t> policies;             ///< of the whole cell, in this order
};

RestrictedCell restricted_cell(Plan const& plan, std::shared_ptr<Cell const> const& cell,
                               std::shared_ptr<IterationSetting const> const& paths,
                               Holdings const& missing);

/// A chunk to execute. It keeps its workload alive.
struct Job
{
    std::size_t slot; ///< of CellQueue
    InstanceRange range;
    std::shared_ptr<Cell const> cell;
    std::shared_ptr<IterationSetting const> paths; ///< in place of the cell in the iteration model
    /// Where some sums of the range are in the store already: which are not, and which policies of
    /// the experiment the cell has. Null: all are to be made, by all policies.
    std::shared_ptr<Holdings const> missing = {};
    std::vector<std::size_t> policies = {};
};

/// Cells of a run and which of their instances are done, being done and still to do. Hands out
/// chunks that take about as long as asked. For one thread at a time.
class CellQueue
{
  public:
    CellQueue(Plan const& plan, double chunk_seconds) : plan_(plan), chunk_seconds_(chunk_seconds)
    {
    }

    /// Adds a cell without work to do; `covered` is what its sums have.
    std::size_t add(PlannedCell const& planned, std::int64_t index, Coverage const& covered);
    /// Asks for the cell's instances below `target` that are not done, and for what is missing of
    /// those that are in part; false if there are none. Contract: none are being done.
    bool want(std::size_t slot, std::int64_t target);
    /// Asks for those instances in `ranges` that are not done; false if there are none.
    bool want(std::size_t slot, std::vector<InstanceRange> const& ranges);
    /// What the cell runs, made once and kept until release().
    std::shared_ptr<Cell const> cell(std::size_t slot);
    /// Lets go of what the cell runs. Contract: nothing of it is to do or being done.
    void release(std::size_t slot);
    /// The next chunk of the first cell that has work left.
    std::optional<Job> next();
    /// The same with so many instances, if the cell has as many to do; of the first cell that
    /// `takes` says true of; null: of any.
    std::optional<Job> next(std::int64_t instances, std::function<bool(Cell const&)> const& takes);
    /// Marks the first `count` instances of a chunk as done, in so many seconds; the rest is to do
    /// again. Seconds below 0: of a call with other cells, nobody knows how many.
    void finish(Job const& job, std::int64_t count, double seconds);

    bool is_idle(std::size_t slot) const;         ///< nothing to do or being done
    std::int64_t reached(std::size_t slot) const; ///< one past the last instance, also in part
    std::int64_t covered(std::size_t slot) const; ///< instances done
    std::int64_t index(std::size_t slot) const { return slots_[slot].index; }
    PlannedCell const& planned(std::size_t slot) const { return slots_[slot].planned; }
    std::int64_t instances_left() const { return left_; }
    std::int64_t instances_waiting() const { return left_ - in_flight_; } ///< not being done
    /// About how long an instance takes, of any cell; 0: not known.
    double seconds_per_instance() const { return last_seconds_per_instance_; }
    std::size_t size() const { return slots_.size(); }

  private:
    struct Slot
    {
        PlannedCell planned; ///< without workload
        std::int64_t index = 0;
        std::vector<InstanceRange> done;               ///< ascending
        std::vector<PartialRange> to_do;               ///< ascending; missing null: everything
        std::vector<PartialRange> partial;             ///< as the store had them
        std::int64_t in_flight = 0;                    ///< chunks
        std::shared_ptr<Cell const> cell;              ///< until release()
        std::shared_ptr<IterationSetting const> paths; ///< likewise
        /// Parts of the cell that ran last: what was missing, and what runs for it.
        std::shared_ptr<Holdings const> restricted_to;
        RestrictedCell restricted;
        std::optional<bool> taken_elsewhere; ///< what `takes` of next() said of the cell
        double seconds_per_instance = 0;     ///< 0: not known
        std::int64_t last_chunk = 0;
    };
    std::int64_t chunk_size(Slot const& slot) const;
    Job take(std::size_t number, std::int64_t instances);
    static std::int64_t end_of_partial(Slot const& slot)
    {
        return slot.partial.empty()
                   ? 0
                   : slot.partial.back().range.first + slot.partial.back().range.count;
    }

    Plan const& plan_;
    double chunk_seconds_;
    std::vector<Slot> slots_;
    std::set<std::size_t> with_work_;
    std::int64_t left_ = 0, in_flight_ = 0;
    double last_seconds_per_instance_ = 0; ///< of any cell: the first guess for a new one
};

} // namespace crx
