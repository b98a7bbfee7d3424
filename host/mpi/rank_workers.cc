#include "host/mpi/rank_workers.hh"

#include "host/error.hh"
#include "host/mpi/rank_wait.hh"
#include "host/say.hh"
#include "host/store/store_header.hh"
#include "host/sweep/interrupt.hh"
#include "kernels/base/counted.hh"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace crx {

RankWorkers::RankWorkers(Communicator& ranks, std::chrono::seconds timeout)
    : ranks_(ranks), timeout_(timeout), rank_(static_cast<std::size_t>(ranks.size()))
{
}

void RankWorkers::begin(BeginRun const& run, Experiment const& experiment)
{
    policies_ = experiment.policies;
    baselines_ = experiment.baselines;
    send_all(run);
    for (auto& rank : rank_) rank.heard_of = Clock::now();
    RankWait wait;
    auto const is_ready = [](Rank const& rank) { return rank.is_ready; };
    while (!std::all_of(rank_.begin() + 1, rank_.end(), is_ready)) {
        wait.after(take_messages({}));
        expect_all_there();
    }
    for (std::size_t k = 1; k < rank_.size(); ++k)
        if (auto const& refusal = rank_[k].ready.refusal; !refusal.empty())
            throw InputError(name(k) + ": " + refusal);
}

RankWorkers::~RankWorkers()
{
    try {
        send_all(EndRun{});
        RankWait wait;
        auto const has_left = [](Rank const& rank) { return rank.has_left; };
        while (!std::all_of(rank_.begin() + 1, rank_.end(), has_left)) {
            wait.after(take_messages({}));
            expect_all_there();
        }
    } catch (std::exception const&) {
        ranks_.abort(exit_run_failed);
    }
}

void RankWorkers::send_all(RankMessage const& message)
{
    auto const bytes = to_bytes(message);
    for (int to = 1; to < ranks_.size(); ++to) ranks_.send(to, bytes);
}

void RankWorkers::work(Desk const& desk)
{
    bool stopped = false;
    RankWait wait;
    for (;;) {
        bool moved = take_messages(desk);
        if (desk.is_ending()) {
            if (!stopped) send_all(StopChunks{});
            stopped = true;
            if (all_back()) return;
        } else {
            if (all_back() && desk.is_done()) return;
            moved = deal(desk) || moved;
        }
        expect_all_there();
        wait.after(moved);
    }
}

/// A chunk to every rank that has a worker free, one after the other, until there are none left.
bool RankWorkers::deal(Desk const& desk)
{
    bool any = false;
    for (bool more = true; more;) {
        more = false;
        for (std::size_t k = 1; k < rank_.size(); ++k) {
            auto& rank = rank_[k];
            if (std::ssize(rank.dealt) >= rank.ready.chunks_at_once) continue;
            auto job = desk.next();
            if (!job) return any;
            auto const& cell = desk.cell_of(*job);
            auto const missing = job->missing == nullptr
                                     ? std::string()
                                     : holdings_text(*job->missing, policies_, baselines_);
            ranks_.send(static_cast<int>(k),
                        to_bytes(RunChunk{next_number_, cell.sweep, cell.coordinates,
                                          identity_hash(cell.identity), job->range, missing}));
            rank.dealt.emplace(next_number_++, std::move(*job));
            more = any = true;
        }
    }
    return any;
}

bool RankWorkers::take_messages(Desk const& desk)
{
    bool any = false;
    while (auto const arrived = ranks_.receive()) {
        any = true;
        auto& rank = rank_.at(static_cast<std::size_t>(arrived->from));
        rank.heard_of = Clock::now();
        auto const message = parse_message(arrived->text);
        if (auto const* const ready = std::get_if<RankReady>(&message)) {
            rank.ready = *ready;
            rank.is_ready = true;
        } else if (auto const* const ended = std::get_if<ChunkEnded>(&message)) {
            take(desk, rank, *ended);
        } else if (std::holds_alternative<RankLeft>(message)) {
            rank.has_left = true;
        } else if (auto const* const asked = std::get_if<SignalAsked>(&message)) {
            InterruptGuard::ask(asked->signal);
        }
    }
    return any;
}

void RankWorkers::take(Desk const& desk, Rank& rank, ChunkEnded const& ended)
{
    auto const found = rank.dealt.find(ended.number);
    if (found == rank.dealt.end()) throw std::runtime_error("a rank answers what it was not asked");
    auto const job = std::move(found->second);
    rank.dealt.erase(found);
    if (!desk.keep) return; // the run has failed
    if (ended.failure.empty())
        desk.keep(job, ended.sums, ended.seconds);
    else
        desk.fail(job, name(static_cast<std::size_t>(&rank - rank_.data())) + ": " + ended.failure);
}

bool RankWorkers::all_back() const
{
    return std::ranges::all_of(rank_, [](Rank const& rank) { return rank.dealt.empty(); });
}

/// A launcher ends all ranks where one dies. One that does not would leave this one waiting.
void RankWorkers::expect_all_there()
{
    for (std::size_t k = 1; k < rank_.size(); ++k) {
        if (Clock::now() - rank_[k].heard_of < timeout_) continue;
        say(fmt::format("{} has been silent for {} seconds, so all ranks end; what is done is kept"
                        "\n  to go on, give the same command again; --rank-timeout waits longer",
                        name(k), timeout_.count()));
        ranks_.abort(exit_run_failed);
    }
}

std::string RankWorkers::name(std::size_t rank) const
{
    auto const& host = rank_[rank].ready.host;
    return fmt::format("rank {}{}{}", rank, host.empty() ? "" : " on ", host);
}

std::string RankWorkers::text() const
{
    std::set<std::string> hosts{this_machine()};
    int threads = 0, gpus = 0;
    for (std::size_t k = 1; k < rank_.size(); ++k) {
        hosts.insert(rank_[k].ready.host);
        threads += rank_[k].ready.threads;
        gpus += rank_[k].ready.device.empty() ? 0 : 1;
    }
    return fmt::format("{} on {}; those beside rank 0 have {}{}", counted(ranks_.size(), "rank"),
                       counted(static_cast<std::int64_t>(hosts.size()), "machine"),
                       counted(threads, "thread"), gpus == 0 ? "" : " and " + counted(gpus, "GPU"));
}

} // namespace crx
