#include "host/mpi/rank_process.hh"

#include "host/build_info.hh"
#include "host/error.hh"
#include "host/mpi/messages.hh"
#include "host/mpi/rank_wait.hh"
#include "host/say.hh"
#include "host/store/store_header.hh"
#include "host/sweep/backend.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/plan.hh"
#include "host/sweep/runner.hh"
#include "host/sweep/threads.hh"
#include "kernels/base/seconds_since.hh"

#include <array>
#include <atomic>
#include <deque>
#include <fmt/core.h>
#include <mutex>
#include <optional>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <unistd.h>

namespace crx {

namespace {

using Steady = std::chrono::steady_clock;

/// A cell that chunks are run of, made once.
struct MadeCell
{
    std::string identity; ///< its hash
    std::shared_ptr<Cell const> cell;
    std::shared_ptr<IterationSetting const> paths;
};

/// All that runs chunks in a rank.
class ChunkRunner
{
  public:
    /// Throws InputError where the rank cannot take part.
    ChunkRunner(BeginRun const& run, Communicator const& ranks)
        : experiment_(Experiment::parse(run.text, run.name, run.folder, run.overrides)),
          plan_(plan_of(experiment_)), chunk_seconds_(run.chunk_seconds)
    {
        if (run.backend == "cuda") choose_device_of_place(ranks.rank_on_node());
        backend_ = choose_backend(run.backend, {}, experiment_.model);
        threads_ = threads_to_use(run.threads > 0 ? run.threads : ranks.threads());
        limit_.emplace(tbb::global_control::max_allowed_parallelism,
                       static_cast<std::size_t>(threads_) + 1); // the one that talks, too
        arena_.initialize(threads_, 0);
    }
    ~ChunkRunner() { arena_.terminate(); }

    RankReady ready() const
    {
        return {"", this_machine(), backend_.device, threads_,
                backend_.chunks_at_once > 0 ? backend_.chunks_at_once : threads_};
    }

    void begin(RunChunk const& chunk)
    {
        ++running_;
        {
            std::lock_guard const lock(mutex_);
            waiting_.push_back(chunk);
        }
        arena_.enqueue([this] {
            // A thread that waits inside for its own chunk must not begin another one.
            tbb::this_task_arena::isolate([this] { run(next_chunk()); });
        });
    }
    void stop() { stop_asked_ = true; }
    void wait_for_all()
    {
        RankWait wait;
        while (running_ > 0) wait.after(false);
    }

    std::optional<ChunkEnded> next_ended()
    {
        std::lock_guard const lock(mutex_);
        if (ended_.empty()) return std::nullopt;
        auto ended = std::move(ended_.front());
        ended_.pop_front();
        return ended;
    }

  private:
    RunChunk next_chunk()
    {
        std::lock_guard const lock(mutex_);
        auto chunk = std::move(waiting_.front());
        waiting_.pop_front();
        return chunk;
    }

    void run(RunChunk const& chunk)
    {
        ChunkEnded ended;
        ended.number = chunk.number;
        auto const start = Steady::now();
        try {
            ended.sums = sums_of(chunk);
        } catch (std::exception const& error) {
            ended.failure = reason_of(error);
        }
        ended.seconds = seconds_since(start);
        std::lock_guard const lock(mutex_);
        ended_.push_back(std::move(ended));
        --running_;
    }

    ChunkResult sums_of(RunChunk const& chunk)
    {
        auto [identity, cell, paths] = cell_of(chunk);
        if (!chunk.missing.empty()) {
            auto const part = restricted_cell(
                plan_, cell, paths,
                read_holdings(chunk.missing, experiment_.policies, experiment_.baselines));
            cell = part.cell;
            paths = part.paths;
        }
        StopCondition stop;
        stop.stop_asked = [this] { return stop_asked_.load(); };
        stop.seconds = SweepSettings::overtime * chunk_seconds_;
        return run_chunk(backend_.launch, backend_.launch_paths, cell.get(), paths.get(),
                         chunk.range, stop);
    }

    MadeCell cell_of(RunChunk const& chunk)
    {
        std::lock_guard const lock(cell_mutex_); // chunks that wait for it are mostly of one cell
        for (auto const& made : made_)
            if (made.identity == chunk.identity) return made;
        auto planned = plan_.make_cell(chunk.sweep, chunk.coordinates);
        MadeCell made{identity_hash(planned.identity), nullptr, std::move(planned.paths)};
        if (made.identity != chunk.identity)
            throw InputError("the cell is another one there: a trace that it reads is not the same "
                             "file on all machines");
        if (made.paths == nullptr)
            made.cell = std::make_shared<Cell const>(std::move(planned.cell));
        constexpr std::size_t kept = 4; // chunks come cell by cell
        if (made_.size() == kept) made_.pop_front();
        made_.push_back(made);
        return made;
    }

    Experiment experiment_;
    Plan plan_;
    double chunk_seconds_;
    Backend backend_;
    int threads_ = 1;
    std::optional<tbb::global_control> limit_;
    tbb::task_arena arena_;
    std::atomic<bool> stop_asked_ = false;
    std::atomic<int> running_ = 0;
    std::mutex mutex_; ///< of the two queues
    std::deque<RunChunk> waiting_;
    std::deque<ChunkEnded> ended_;
    std::mutex cell_mutex_;
    std::deque<MadeCell> made_;
};

class RankProcess
{
  public:
    RankProcess(Communicator& ranks, std::string const& arguments)
        : ranks_(ranks), arguments_(arguments)
    {
    }

    void run()
    {
        InterruptGuard const guard(InterruptGuard::Voice::silent);
        RankWait wait;
        auto last_sent = Steady::now();
        for (;;) {
            bool moved = false;
            while (auto const arrived = ranks_.receive()) {
                moved = true;
                auto const message = parse_message(arrived->text);
                if (std::holds_alternative<EndRun>(message)) return end();
                answer(message);
            }
            while (runner_) {
                auto const ended = runner_->next_ended();
                if (!ended) break;
                send(*ended);
                moved = true;
            }
            if (InterruptGuard::asked() && !told_signal_) {
                send(SignalAsked{InterruptGuard::signal()});
                told_signal_ = true;
            }
            if (Steady::now() - last_sent > std::chrono::seconds(2)) {
                send(StillThere{});
                last_sent = Steady::now();
            }
            wait.after(moved);
        }
    }

  private:
    void answer(RankMessage const& message)
    {
        if (auto const* const begin = std::get_if<BeginRun>(&message))
            send(ready_for(*begin));
        else if (auto const* const chunk = std::get_if<RunChunk>(&message))
            runner_->begin(*chunk);
        else if (std::holds_alternative<StopChunks>(message) && runner_)
            runner_->stop();
    }

    RankReady ready_for(BeginRun const& run)
    {
        auto const refuse = [](std::string const& why) {
            return RankReady{why, this_machine(), "", 0, 0};
        };
        if (run.program != build_text())
            return refuse("is another program, " + build_text() + ", and rank 0 is " + run.program);
        if (run.arguments != arguments_)
            return refuse("was started with other arguments, " + arguments_ +
                          "\n  all ranks of a run have the same; srun --mpi=none starts processes "
                          "that are no ranks");
        try {
            runner_.emplace(run, ranks_);
            return runner_->ready();
        } catch (std::exception const& error) {
            return refuse(reason_of(error));
        }
    }

    void end()
    {
        if (runner_) {
            runner_->stop();
            runner_->wait_for_all();
        }
        send(RankLeft{});
    }

    void send(RankMessage const& message) { ranks_.send(0, to_bytes(message)); }

    Communicator& ranks_;
    std::string const& arguments_;
    std::optional<ChunkRunner> runner_;
    bool told_signal_ = false;
};

} // namespace

std::string this_machine()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

void serve_rank(Communicator& ranks, std::string const& arguments)
{
    try {
        RankProcess(ranks, arguments).run();
    } catch (std::exception const& error) {
        say("rank " + std::to_string(ranks.rank()) + " on " + this_machine() + ": " +
            reason_of(error));
        ranks.abort(exit_run_failed);
    }
}

} // namespace crx
