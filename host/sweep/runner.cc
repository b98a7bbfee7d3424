#include "host/sweep/runner.hh"

#include "host/error.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/progress.hh"
#include "host/sweep/refiner.hh"
#include "host/sweep/stopping.hh"
#include "kernels/base/parallel.hh"

#include <chrono>
#include <exception>
#include <fmt/core.h>
#include <mutex>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <thread>

namespace crx {

namespace {

class SweepRunner
{
  public:
    SweepRunner(Plan const& plan, RunStore& store, SweepSettings const& settings,
                Progress& progress)
        : plan_(plan), store_(store), settings_(settings), progress_(progress),
          queue_(plan, settings.chunk_seconds)
    {
        state_.may_grow = plan.stop.half_width.has_value();
    }

    /// The whole experiment.
    SweepSummary run(std::vector<PlannedCell> const& grid)
    {
        return summary_of([&] {
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
        });
    }

    /// These instances alone.
    SweepSummary run(std::vector<CellRanges> const& work)
    {
        return summary_of([&] {
            by_target_ = false;
            std::vector<PlannedCell> cells;
            std::vector<std::int64_t> indices;
            for (auto const& each : work) {
                cells.push_back(each.cell);
                indices.push_back(each.index);
            }
            store_.ensure_cells_as(cells, indices);
            add_slots(cells, indices, [&](std::size_t slot, std::size_t place) {
                if (!queue_.want(slot, work[place].ranges)) complete(slot);
            });
            work_on_slots();
        });
    }

  private:
    template <class Run>
    SweepSummary summary_of(Run run)
    {
        try {
            try {
                run();
            } catch (...) {
                keep_what_is_done();
                throw;
            }
            store_.commit();
        } catch (InputError const&) {
            throw;
        } catch (Stopped const& stopped) {
            throw Stopped(stopped.what() + kept_text());
        } catch (PolicyError const& error) {
            throw RunError(error.what() + kept_text("mend the policy and "));
        } catch (std::exception const& error) {
            throw RunError(reason_of(error) + kept_text());
        }
        SweepSummary summary{state_.cells, 0, 0, progress_.seconds()};
        summary.instances = instances_kept();
        summary.instances_before = summary.instances - state_.instances_done;
        for (auto const slot : twins_) {
            summary.instances += queue_.covered(slot);
            summary.instances_before += queue_.covered(slot);
        }
        summary.imprecise = imprecise_;
        return summary;
    }

    /// Adds cells and returns when all are at their target.
    void run_cells(std::vector<PlannedCell> const& cells, Refiner& refiner)
    {
        auto const indices = store_.ensure_cells(cells);
        add_slots(cells, indices,
                  [&](std::size_t slot, std::size_t) { settle(slot, queue_.reached(slot)); });
        for (std::size_t k = 0; k < cells.size(); ++k) refiner.add(cells[k], indices[k]);
        work_on_slots();
    }

    /// Adds cells of the store to the queue; `begin(slot, place)` asks for what is to do.
    template <class Begin>
    void add_slots(std::vector<PlannedCell> const& cells, std::vector<std::int64_t> const& indices,
                   Begin begin)
    {
        auto const done_before = state_.cells_done;
        state_.cells += static_cast<std::int64_t>(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            auto const [alike, is_new] = slots_.try_emplace(cells[i].identity, queue_.size());
            if (is_new) {
                begin(queue_.add(cells[i], indices[i], coverage_of(store_.ranges(indices[i]))), i);
                continue;
            }
            twins_.push_back(alike->second); // whose sums are this cell's, too
            ++state_.cells_done;
        }
        if (state_.cells_done > done_before)
            progress_.say(fmt::format("{} of {} cells were complete",
                                      state_.cells_done - done_before, cells.size()));
    }

    void work_on_slots()
    {
        state_.instances_left = queue_.instances_left();
        progress_.update(state_);
        work_with_threads();
        if (error_) std::rethrow_exception(error_);
        if (stopped_) throw Stopped(InterruptGuard::stopped());
    }

    /// Finds the next target past `reached` instances, or that the cell is complete.
    void settle(std::size_t slot, std::int64_t reached)
    {
        for (;;) {
            auto const target = next_checkpoint(plan_.stop, reached);
            if (queue_.want(slot, target)) return;
            bool const precise = is_precise(slot);
            if (precise || target == plan_.stop.instances) {
                complete(slot);
                imprecise_ += precise ? 0 : 1;
                return;
            }
            reached = target + 1;
        }
    }

    void complete(std::size_t slot)
    {
        ++state_.cells_done;
        queue_.release(slot);
    }

    bool is_precise(std::size_t slot)
    {
        if (plan_.model == Model::iterations)
            return precise_enough(plan_.stop, store_.paths(queue_.index(slot)));
        return precise_enough(plan_.stop, plan_.baselines, store_.tally(queue_.index(slot)),
                              [&] { return queue_.cell(slot); });
    }

    /// The next call of an executor. Empty: none is left at the moment, or none is to begin any
    /// more; or, where it says so, there may be one later.
    std::vector<Job> next_jobs(Executor const& executor, bool& wait)
    {
        std::lock_guard const lock(mutex_);
        wait = false;
        stopped_ = stopped_ || settings_.stop_asked();
        if (stopped_ || error_) return {};
        std::vector<Job> jobs;
        if (executor.least == 0) {
            if (auto job = queue_.next()) jobs.push_back(std::move(*job));
            wait = lists_in_flight_ > 0 && shared(); // it may give instances back
            return jobs;
        }
        auto wanted = executor.least;
        if (times_.gpu_instance > 0)
            wanted = std::max(wanted, static_cast<std::int64_t>(std::min(
                                          settings_.chunk_seconds / times_.gpu_instance, 1e15)));
        if (shared()) {
            times_.core = queue_.seconds_per_instance();
            wanted = std::min(wanted, share_of_gpu(times_, queue_.instances_waiting(), threads()));
            wait = queue_.instances_waiting() > 0;
        }
        while (wanted > 0 && jobs.size() < executor.most_cells) {
            auto job = queue_.next(wanted, executor.takes);
            if (!job) break;
            wanted -= job->range.count;
            jobs.push_back(std::move(*job));
        }
        lists_in_flight_ += jobs.empty() ? 0 : 1;
        return jobs;
    }

    /// Whether the cores and a GPU do the work together.
    bool shared() const { return settings_.executors.size() > 1; }

    int threads() const
    {
        return settings_.threads > 0 ? settings_.threads : tbb::this_task_arena::max_concurrency();
    }

    /// Executors with chunks of one cell work on the threads of an arena; others have threads of
    /// their own, which wait for a GPU.
    void work_with_threads()
    {
        // The arena alone does not let oneTBB start more threads than there are processors.
        tbb::global_control const limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads()));
        std::vector<std::jthread> waiting;
        for (auto const& executor : settings_.executors) {
            if (executor.least == 0) continue;
            for (int k = 0; k < executor.at_once; ++k)
                waiting.emplace_back([&] { work(executor); });
        }
        for (auto const& executor : settings_.executors) {
            if (executor.least > 0) continue;
            tbb::task_arena arena(threads());
            int const at_once = executor.at_once > 0 ? executor.at_once : threads();
            arena.execute([&] { crx::parallel_for(0, at_once, [&](int) { work(executor); }); });
        }
    }

    /// One worker: calls until there are none left, or until something is wrong.
    void work(Executor const& executor)
    {
        try {
            for (bool wait = false;;) {
                auto const jobs = next_jobs(executor, wait);
                if (!jobs.empty())
                    execute(executor, jobs);
                else if (wait)
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                else
                    return;
            }
        } catch (...) {
            std::lock_guard const lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }

    /// Runs the jobs and keeps what was done, also where there was an error.
    void execute(Executor const& executor, std::vector<Job> const& jobs)
    {
        double const start = progress_.seconds();
        auto const shown = progress_.begin(place_of(jobs));
        Done done;
        // A thread that waits inside for its own chunk must not begin another worker.
        tbb::this_task_arena::isolate([&] { done = launch(executor, jobs); });
        progress_.end(shown);
        double const seconds = progress_.seconds() - start;
        std::size_t first_left = 0;
        {
            std::lock_guard const lock(mutex_);
            std::int64_t instances = 0;
            for (std::size_t k = 0; k < jobs.size(); ++k) {
                Chunk const nothing{};
                auto const& chunk = k < done.chunks.size() ? done.chunks[k] : nothing;
                instances += chunk.count;
                if (chunk.count == jobs[k].range.count && first_left == k) ++first_left;
                keep(jobs[k], chunk, executor.least == 0 ? seconds : -1);
            }
            if (executor.least > 0) --lists_in_flight_;
            if (executor.least > 0 && instances > 0) {
                times_.gpu_instance = seconds / static_cast<double>(instances);
                times_.gpu_least =
                    times_.gpu_least > 0 ? std::min(times_.gpu_least, seconds) : seconds;
            }
        }
        if (!done.error) return;
        auto const& job_of_error = jobs[std::min(first_left, jobs.size() - 1)];
        try {
            std::rethrow_exception(done.error);
        } catch (PolicyError const& error) {
            throw PolicyError(place_of({job_of_error}) + ": " + error.what());
        } catch (InputError const& error) { // what a function of the user's own gave
            throw PolicyError(place_of({job_of_error}) + ": " + error.what());
        } catch (std::exception const& error) {
            throw RunError(place_of({job_of_error}) + ": " + reason_of(error));
        }
    }

    /// What was done of a job, in sums of either model.
    struct Chunk
    {
        Tally tally;
        PathSums paths;
        PathMeasures measures;
        std::int64_t count = 0;                ///< instances: the first ones of the job
        std::vector<std::string> engines = {}; ///< that ran each policy
    };
    struct Done
    {
        std::vector<Chunk> chunks; ///< of the first jobs where there is an error
        std::exception_ptr error = nullptr;
    };

    Done launch(Executor const& executor, std::vector<Job> const& jobs)
    {
        StopCondition stop_condition;
        stop_condition.stop_asked = settings_.stop_asked;
        stop_condition.seconds = SweepSettings::overtime * settings_.chunk_seconds;
        Done done;
        try {
            if (jobs.front().paths != nullptr) {
                for (auto const& job : jobs) {
                    auto paths = executor.launch_paths(*job.paths, job.range, stop_condition);
                    done.chunks.push_back(
                        {{}, std::move(paths.sums), std::move(paths.measures), paths.count});
                }
                return done;
            }
            std::vector<LaunchPart> parts;
            for (auto const& job : jobs) parts.push_back({job.cell.get(), job.range});
            auto launched = executor.launch(parts, stop_condition);
            done.error = launched.error;
            for (auto& part : launched.parts) {
                for (auto const& policy : part.tally)
                    if (policy.sums.count + policy.sums.unfinished != part.count)
                        throw std::runtime_error("a policy's instances were not all counted");
                done.chunks.push_back(
                    {std::move(part.tally), {}, {}, part.count, std::move(part.engines)});
            }
        } catch (std::exception const&) {
            done.error = std::current_exception();
        }
        return done;
    }

    /// "alpha w=0.5, instances 17 to 99", or "257 cells from alpha w=0.5 on"
    std::string place_of(std::vector<Job> const& jobs)
    {
        std::lock_guard const lock(mutex_);
        auto const& [slot, range, cell, paths, missing, policies] = jobs.front();
        auto const& planned = queue_.planned(slot);
        auto const point = point_text(planned.sweep, planned.coordinates);
        return jobs.size() > 1 ? fmt::format("{} cells from {} on", jobs.size(), point)
                               : fmt::format("{}, instances {} to {}", point, range.first,
                                             range.first + range.count - 1);
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

    void keep(Job const& job, Chunk const& chunk, double seconds)
    {
        InstanceRange const range{job.range.first, chunk.count};
        auto const index = queue_.index(job.slot);
        if (chunk.count > 0 && job.paths != nullptr)
            store_.add_paths(index, range, of_all_policies(job, chunk.paths),
                             of_all_policies(job, chunk.measures));
        else if (chunk.count > 0)
            store_.add_chunk(index, range, of_all_policies(job, chunk.tally),
                             of_all_policies(job, chunk.engines));
        queue_.finish(job, chunk.count, seconds);
        state_.instances_done += chunk.count;
        if (queue_.is_idle(job.slot)) {
            if (by_target_)
                settle(job.slot, queue_.reached(job.slot));
            else
                complete(job.slot);
        }
        state_.instances_left = queue_.instances_left();
        progress_.update(state_);
    }

    void keep_what_is_done()
    {
        try {
            store_.commit();
        } catch (RunError const&) {
            // What ends the run is said; kept_text counts what is lost.
        }
    }

    std::int64_t instances_kept() const
    {
        auto instances = -store_.lost();
        for (std::size_t slot = 0; slot < queue_.size(); ++slot) instances += queue_.covered(slot);
        return instances;
    }

    /// A commit that fails loses the last half second, and with it perhaps cells that it completed.
    std::string kept_text(std::string const& first = {}) const
    {
        return fmt::format("\n  kept: {}{} instances in all, in {}\n"
                           "  to go on, {}give the same command again",
                           store_.lost() > 0
                               ? std::string()
                               : fmt::format("{} complete cells, ", state_.cells_done),
                           instances_kept(), store_.file().string(), first);
    }

    Plan const& plan_;
    RunStore& store_;
    SweepSettings const& settings_;
    Progress& progress_;
    CellQueue queue_;
    std::map<std::string, std::size_t> slots_; ///< by identity of the cell
    std::vector<std::size_t> twins_;           ///< slots of cells that are like one before
    std::mutex mutex_;                         ///< of everything but launches, once workers run
    SharedTimes times_;
    int lists_in_flight_ = 0; ///< calls of executors with lists of cells
    ProgressState state_;
    std::int64_t imprecise_ = 0; ///< SweepSummary's
    bool by_target_ = true;      ///< cells have targets; else ranges that were given
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

SweepSummary run_share(Plan const& plan, std::vector<CellRanges> const& work, RunStore& store,
                       SweepSettings const& settings, Progress& progress)
{
    auto const watched = with_watched_baselines(plan, progress);
    return SweepRunner(watched, store, settings, progress).run(work);
}

} // namespace crx
