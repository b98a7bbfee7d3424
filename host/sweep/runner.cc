#include "host/sweep/runner.hh"

#include "host/error.hh"
#include "host/memory_reserve.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/refiner.hh"
#include "host/sweep/stopped.hh"
#include "host/sweep/stopping.hh"
#include "host/sweep/watched_baselines.hh"
#include "kernels/base/parallel.hh"

#include <exception>
#include <fmt/core.h>
#include <mutex>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace crx {

namespace {

class SweepRunner
{
  public:
    SweepRunner(Plan const& plan, RunStore& store, SweepSettings const& settings,
                Progress& progress)
        : plan_(plan), store_(store), settings_(settings), progress_(progress),
          queue_(plan, settings.chunk_seconds, settings.least_chunk)
    {
    }

    SweepSummary run(std::vector<PlannedCell> const& grid)
    {
        try {
            Refiner refiner(plan_);
            run_cells(grid, refiner);
            for (int round = 1; round <= refiner.rounds(); ++round) {
                auto const cells = refiner.next_round(
                    round, [&](std::int64_t cell) { return store_.tally(cell); });
                if (!cells.empty())
                    progress_.say(fmt::format("refinement {} of {}: {} cells", round,
                                              refiner.rounds(), cells.size()));
                for (auto const& note : refiner.take_notes()) progress_.say(note);
                run_cells(cells, refiner);
            }
        } catch (InputError const&) {
            throw;
        } catch (Stopped const& stopped) {
            throw Stopped(stopped.what() + kept_text());
        } catch (std::exception const& error) {
            throw RunError(reason_of(error) + kept_text());
        }
        SweepSummary summary{static_cast<std::int64_t>(queue_.size()), 0, 0, progress_.seconds()};
        for (std::size_t slot = 0; slot < queue_.size(); ++slot)
            summary.instances += queue_.covered(slot);
        summary.instances_before = summary.instances - state_.instances_done;
        return summary;
    }

  private:
    /// Adds cells and returns when all are at their target.
    void run_cells(std::vector<PlannedCell> const& cells, Refiner& refiner)
    {
        auto const indices = store_.ensure_cells(cells);
        auto const covered = store_.covered(); // by the numbers that the cells have now
        auto const done_before = state_.cells_done;
        state_.cells += static_cast<std::int64_t>(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            auto const found = covered.find(indices[i]);
            auto const slot = queue_.add(cells[i], indices[i],
                                         found == covered.end() ? Coverage{} : found->second);
            settle(slot, queue_.reached(slot));
            refiner.add(cells[i], indices[i]);
        }
        if (state_.cells_done > done_before)
            progress_.say(fmt::format("{} of {} cells were complete",
                                      state_.cells_done - done_before, cells.size()));
        state_.instances_left = queue_.instances_left();
        progress_.update(state_);
        work_in_parallel();
        if (error_) std::rethrow_exception(error_);
        if (stopped_) throw Stopped(InterruptGuard::stopped());
    }

    /// Finds the next target past `reached` instances, or that the cell is complete.
    void settle(std::size_t slot, std::int64_t reached)
    {
        for (;;) {
            auto const target = next_checkpoint(plan_.stop, reached);
            if (queue_.want(slot, target)) return;
            if (target == plan_.stop.instances || is_precise(slot)) {
                ++state_.cells_done;
                return;
            }
            reached = target + 1;
        }
    }

    bool is_precise(std::size_t slot) const
    {
        if (plan_.model == Model::iterations)
            return precise_enough(plan_.stop, store_.paths(queue_.index(slot)));
        return precise_enough(plan_.stop, plan_.baselines, store_.tally(queue_.index(slot)),
                              [&] { return make_cell(slot); });
    }

    Cell make_cell(std::size_t slot) const
    {
        auto const& planned = queue_.planned(slot);
        return plan_.make_cell(planned.sweep, planned.coordinates).cell;
    }

    void work_in_parallel()
    {
        int const threads =
            settings_.threads > 0 ? settings_.threads : tbb::this_task_arena::max_concurrency();
        int const at_once = settings_.chunks_at_once > 0 ? settings_.chunks_at_once : threads;
        // The arena alone does not let oneTBB start more threads than there are processors.
        tbb::global_control const limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
        tbb::task_arena arena(threads);
        arena.execute([&] { crx::parallel_for(0, at_once, [&](int) { work(); }); });
    }

    /// One worker: chunks until there are none left, or until something is wrong.
    void work()
    {
        try {
            for (;;) {
                refill_memory_reserve();
                std::optional<Job> job;
                {
                    std::lock_guard const lock(mutex_);
                    stopped_ = stopped_ || settings_.stop_asked();
                    if (stopped_ || error_) return;
                    job = queue_.next();
                }
                if (!job) return;
                double const start = progress_.seconds();
                auto const shown = progress_.begin(place_of(*job));
                Done done;
                // A thread that waits inside for its own chunk must not begin another worker.
                tbb::this_task_arena::isolate([&] { done = launch(*job); });
                progress_.end(shown);
                double const seconds = progress_.seconds() - start;
                std::lock_guard const lock(mutex_);
                keep(*job, done, seconds);
            }
        } catch (...) {
            std::lock_guard const lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }

    /// Sums of a chunk of either model.
    struct Done
    {
        Tally tally;
        PathSums paths;
        std::int64_t count = 0;
        std::vector<std::string> engines = {}; ///< that ran each policy (kernels/backends/cell.hh)
    };

    Done launch(Job const& job)
    {
        try {
            StopCondition stop_condition;
            stop_condition.stop_asked = settings_.stop_asked;
            stop_condition.seconds = SweepSettings::overtime * settings_.chunk_seconds;
            if (job.paths != nullptr) {
                auto done = settings_.launch_paths(*job.paths, job.range, stop_condition);
                return {{}, std::move(done.sums), done.count};
            }
            auto done = settings_.launch(*job.cell, job.range, stop_condition);
            for (auto const& policy : done.tally)
                if (policy.sums.count + policy.sums.unfinished != done.count)
                    throw std::runtime_error("a policy's instances were not all counted");
            return {std::move(done.tally), {}, done.count, std::move(done.engines)};
        } catch (std::exception const& error) {
            throw RunError(place_of(job) + ": " + reason_of(error));
        }
    }

    /// "alpha w=0.5, instances 17 to 99"
    std::string place_of(Job const& job)
    {
        std::lock_guard const lock(mutex_);
        auto const& planned = queue_.planned(job.slot);
        return fmt::format("{}, instances {} to {}", point_text(planned.sweep, planned.coordinates),
                           job.range.first, job.range.first + job.range.count - 1);
    }

    /// What some policies gave in the places that these have among all.
    template <class Value>
    std::vector<Value> of_all_policies(Job const& job, std::vector<Value> const& some) const
    {
        if (job.missing == nullptr || some.empty()) return some;
        std::vector<Value> all(job.missing->policies());
        for (std::size_t k = 0; k < some.size(); ++k) all[job.policies[k]] = some[k];
        return all;
    }

    void keep(Job const& job, Done const& chunk, double seconds)
    {
        InstanceRange const range{job.range.first, chunk.count};
        auto const index = queue_.index(job.slot);
        if (chunk.count > 0 && job.paths != nullptr)
            store_.add_paths(index, range, of_all_policies(job, chunk.paths), job.missing.get());
        else if (chunk.count > 0)
            store_.add_chunk(index, range, of_all_policies(job, chunk.tally),
                             of_all_policies(job, chunk.engines), job.missing.get());
        queue_.finish(job, chunk.count, seconds);
        state_.instances_done += chunk.count;
        if (queue_.is_idle(job.slot)) settle(job.slot, queue_.reached(job.slot));
        state_.instances_left = queue_.instances_left();
        progress_.update(state_);
    }

    std::string kept_text() const
    {
        std::int64_t instances = 0;
        for (std::size_t slot = 0; slot < queue_.size(); ++slot) instances += queue_.covered(slot);
        return fmt::format("\n  kept: {} complete cells, {} instances in all, in {}\n"
                           "  to go on, give the same command again",
                           state_.cells_done, instances, store_.file().string());
    }

    Plan const& plan_;
    RunStore& store_;
    SweepSettings const& settings_;
    Progress& progress_;
    CellQueue queue_;
    std::mutex mutex_; ///< of everything but launches, once workers run
    ProgressState state_;
    bool stopped_ = false;
    std::exception_ptr error_;
};

} // namespace

SweepSummary run_sweep(Plan const& plan, std::vector<PlannedCell> const& cells, RunStore& store,
                       SweepSettings const& settings, Progress& progress)
{
    auto const watched = with_watched_baselines(plan, progress);
    return SweepRunner(watched, store, settings, progress).run(cells);
}

} // namespace crx
