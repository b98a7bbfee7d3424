#include "host/sweep/rank_sweep.hh"

#include "host/build_info.hh"
#include "host/error.hh"
#include "host/output_file.hh"
#include "host/sweep/cell_queue.hh"
#include "host/sweep/interrupt.hh"
#include "host/sweep/rank_stores.hh"
#include "host/sweep/shard_work.hh"

#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

namespace crx {

namespace {

namespace fs = std::filesystem;

/// What is to be run in a round, and what an instance of each cell costs: all that a shard depends
/// on.
struct RoundWork
{
    std::vector<CellRanges> due;
    std::vector<std::int64_t> costs;
};

fs::path file_of_work(fs::path const& folder, std::string const& run, std::int64_t round)
{
    return folder / fmt::format("work-{}-{}.json", run, round);
}

std::string to_text(RoundWork const& work)
{
    auto cells = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < work.due.size(); ++k) {
        auto const& [cell, index, ranges] = work.due[k];
        auto pairs = nlohmann::ordered_json::array();
        for (auto const& range : ranges) pairs.push_back({range.first, range.count});
        cells.push_back({{"sweep", cell.sweep},
                         {"coordinates", cell.coordinates},
                         {"identity", identity_hash(cell.identity)},
                         {"index", index},
                         {"cost", work.costs[k]},
                         {"ranges", std::move(pairs)}});
    }
    return nlohmann::ordered_json{{"program", build_text()}, {"cells", std::move(cells)}}.dump();
}

/// Cells have their places and the hash of their identities alone.
RoundWork read_work(fs::path const& file)
{
    std::ifstream stream(file, std::ios::binary);
    auto const json = nlohmann::ordered_json::parse(stream);
    auto const program = json.at("program").get<std::string>();
    if (program != build_text())
        throw InputError("is another program, " + build_text() + ", and rank 0 is " + program);
    RoundWork work;
    for (auto const& each : json.at("cells")) {
        CellRanges cell;
        cell.cell.sweep = each.at("sweep");
        cell.cell.coordinates = each.at("coordinates").get<Coordinates>();
        cell.cell.identity = each.at("identity");
        cell.index = each.at("index");
        for (auto const& range : each.at("ranges"))
            cell.ranges.push_back({range.at(0).get<std::int64_t>(), range.at(1)});
        work.due.push_back(std::move(cell));
        work.costs.push_back(each.at("cost"));
    }
    return work;
}

/// The shard of this rank with its cells planned here.
std::vector<CellRanges> share_here(Plan const& plan, RoundWork const& work,
                                   ShardNumber const& number)
{
    auto share = share_of(work.due, work.costs, number);
    for (auto& [cell, index, ranges] : share) {
        auto planned = plan.make_cell(cell.sweep, cell.coordinates);
        if (identity_hash(planned.identity) != cell.identity)
            throw InputError(point_text(cell.sweep, cell.coordinates) +
                             " is another cell there: all ranks of a run have the same arguments "
                             "and traces");
        planned.cell = {};
        planned.paths = nullptr;
        cell = std::move(planned);
    }
    return share;
}

/// A text that no other process draws.
std::string draw_name()
{
    std::random_device device;
    return fmt::format("{:08x}{:08x}", device(), device());
}

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

class RankZero
{
  public:
    RankZero(RankBoard& board, Plan const& plan, std::vector<PlannedCell> const& grid,
             StoreHeader const& header, RunStore& store, SweepSettings settings, Progress& progress)
        : board_(board), plan_(plan), grid_(grid), header_(header), store_(store),
          settings_(std::move(settings)), progress_(progress)
    {
        settings_.stop_asked = [this] { return InterruptGuard::asked() || board_.is_over(); };
    }

    SweepSummary run()
    try {
        auto const before = instances();
        while (!is_being_extended() && run_round()) {
        }
        auto summary = run_sweep(plan_, grid_, store_, settings_, progress_);
        summary.instances_before = before;
        end();
        return summary;
    } catch (Stopped const&) {
        throw_why();
    }

  private:
    /// False where nothing is left to do.
    bool run_round()
    {
        RoundWork work{due_work(plan_, grid_, read_store_state(store_.file())), {}};
        if (work.due.empty()) return false;
        work.costs = estimated_costs(plan_, work.due);
        std::vector<PlannedCell> cells;
        std::vector<std::int64_t> indices;
        for (auto const& each : work.due) {
            cells.push_back(each.cell);
            indices.push_back(each.index);
        }
        store_.ensure_cells_as(cells, indices);
        ++round_;
        write_file(file_of_work(board_.folder(), run_, round_), to_text(work));
        board_.post({run_, round_});
        run_share(plan_, share_of(work.due, work.costs, {1, board_.place().size}), store_,
                  settings_, progress_);
        take_in_others();
        return true;
    }

    void take_in_others()
    {
        TakeIn take_in(store_, header_.identity);
        std::set<int> missing;
        for (int rank = 1; rank < board_.place().size; ++rank) missing.insert(rank);
        for (; !missing.empty(); wait_a_moment()) {
            std::erase_if(missing, [&](int rank) {
                auto const state = board_.latest(rank);
                if (!state || state->run != run_ || state->round != round_ || !state->is_done)
                    return false;
                auto const file =
                    store_of_rank(board_.folder(), run_, round_, rank, board_.place().size);
                if (fs::exists(file)) take_in(file); // there is none where it had nothing to do
                return true;
            });
            if (settings_.stop_asked()) throw Stopped(InterruptGuard::stopped());
        }
    }

    /// Then the engines that run are those of the policies that are new; one process does that.
    bool is_being_extended() const
    {
        return std::ranges::any_of(store_.cells(), [&](std::int64_t cell) {
            return !coverage_of(store_.ranges(cell)).partial.empty();
        });
    }

    std::int64_t instances() const
    {
        std::int64_t sum = 0;
        for (auto const cell : store_.cells()) sum += total(coverage_of(store_.ranges(cell)).done);
        return sum;
    }

    /// Lets the others go, and removes the files that are left.
    void end()
    {
        board_.post({run_, round_, true, exit_done});
        auto const all_left = [&] {
            for (int rank = 1; rank < board_.place().size; ++rank)
                if (board_.latest(rank) && !board_.has_left(rank)) return false;
            return true;
        };
        for (int k = 0; k < 2000 && !all_left(); ++k) wait_a_moment(); // ten seconds
        std::error_code ignored;
        for (auto const& entry : fs::directory_iterator(board_.folder(), ignored)) {
            auto const name = entry.path().filename().string();
            if (name.starts_with("work-") || name.ends_with(".state") || name.ends_with(".new"))
                fs::remove(entry.path(), ignored);
        }
    }

    [[noreturn]] void throw_why() const
    {
        auto const kept = fmt::format(
            "\n  kept: all that is done, in {} and beside it in {}\n  to go on, give the same "
            "command again, with as many ranks as you like",
            store_.file().string(), board_.folder().string());
        if (InterruptGuard::asked()) throw Stopped(InterruptGuard::stopped() + kept);
        auto const ended = [&](int rank, std::string const& how) {
            return fmt::format("{} {}, so all ranks end: shard {}/{} of round {} is missing{}",
                               board_.name(rank), how, rank + 1, board_.place().size, round_, kept);
        };
        for (int rank = 1; rank < board_.place().size; ++rank) {
            auto const state = board_.latest(rank);
            if (board_.has_left(rank)) throw RunError(ended(rank, "has ended"));
            if (!state || state->run != run_ || state->status <= 0) continue;
            if (state->status > exit_signalled) {
                InterruptGuard::ask(state->status - exit_signalled);
                throw Stopped(ended(rank, "was " + InterruptGuard::stopped()));
            }
            throw RunError(ended(rank, "failed (" + state->message + ")"));
        }
        auto const silent = board_.silent().value_or(1);
        throw RunError(
            ended(silent, fmt::format("has been silent for {} seconds", board_.timeout().count())));
    }

    RankBoard& board_;
    Plan const& plan_;
    std::vector<PlannedCell> const& grid_;
    StoreHeader const& header_;
    RunStore& store_;
    SweepSettings settings_;
    Progress& progress_;
    std::string const run_ = draw_name();
    std::int64_t round_ = 0;
};

class OtherRank
{
  public:
    OtherRank(RankBoard& board, Plan const& plan, StoreHeader header, RunInfo const& info,
              SweepSettings settings)
        : board_(board), plan_(plan), header_(std::move(header)), info_(info),
          settings_(std::move(settings))
    {
        settings_.stop_asked = [this] { return InterruptGuard::asked() || board_.is_over(); };
    }

    void run()
    try {
        while (wait_for_round()) run_round();
        board_.post({run_, round_, true, exit_done});
    } catch (Stopped const&) {
        if (board_.silent())
            fail(RunError(fmt::format("rank 0 has been silent for {} seconds\n  kept: all that is "
                                      "done, in {}\n  to go on, give the same command again",
                                      board_.timeout().count(), board_.folder().string())),
                 exit_run_failed);
        int const status = InterruptGuard::asked() ? exit_signalled + InterruptGuard::signal() : 0;
        board_.post({run_, round_, false, status, InterruptGuard::stopped()});
    } catch (InputError const& error) {
        fail(error, exit_bad_input);
    } catch (std::exception const& error) {
        fail(error, exit_run_failed);
    }

  private:
    /// False where rank 0 has ended, of which it says why.
    bool wait_for_round()
    {
        for (;; wait_a_moment()) {
            auto const state = board_.latest(0);
            if (board_.has_left(0) || (state && state->status >= 0)) return false;
            if (state && !run_.empty() && state->run != run_)
                throw RunError("another run of the same sweep has begun");
            if (state && state->round > round_) {
                run_ = state->run;
                round_ = state->round;
                return true;
            }
            if (settings_.stop_asked()) throw Stopped(InterruptGuard::stopped());
        }
    }

    void run_round()
    {
        board_.post({run_, round_});
        auto const& place = board_.place();
        auto const work = read_work(file_of_work(board_.folder(), run_, round_));
        ShardNumber const number{place.rank + 1, place.size};
        auto const share = share_here(plan_, work, number);
        if (!share.empty()) {
            header_.shard = to_text(record_of(work.due, share, number));
            RunStore store(store_of_rank(board_.folder(), run_, round_, place.rank, place.size),
                           header_, info_);
            Progress progress(stderr, ProgressStyle::none);
            run_share(plan_, share, store, settings_, progress);
        }
        board_.post({run_, round_, true});
    }

    template <class Error>
    [[noreturn]] void fail(Error const& error, int status)
    {
        board_.post({run_, round_, false, status, reason_of(error)});
        auto const what = board_.name(board_.place().rank) + ": " + reason_of(error);
        if (status == exit_bad_input) throw InputError(what);
        throw RunError(what);
    }

    RankBoard& board_;
    Plan const& plan_;
    StoreHeader header_;
    RunInfo const& info_;
    SweepSettings settings_;
    std::string run_;
    std::int64_t round_ = 0;
};

} // namespace

SweepSummary run_as_rank_zero(RankBoard& board, Plan const& plan,
                              std::vector<PlannedCell> const& grid, StoreHeader const& header,
                              RunStore& store, SweepSettings settings, Progress& progress)
{
    return RankZero(board, plan, grid, header, store, std::move(settings), progress).run();
}

void run_as_other_rank(RankBoard& board, Plan const& plan, StoreHeader header, RunInfo const& info,
                       SweepSettings settings)
{
    OtherRank(board, plan, std::move(header), info, std::move(settings)).run();
}

} // namespace crx
