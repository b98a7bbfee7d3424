#pragma once

#include "kernels/engine/index_set.cuh"
#include "kernels/engine/order.cuh"
#include "kernels/engine/stop_heap.cuh"
#include "kernels/model/outcome.cuh"

namespace crx {

/// The policies that admit below a memory threshold and look no further (SPEC section 4, protect
/// and clear), for one instance.
///
/// Nobody waiting can be admitted while only tokens are generated, as what is held grows; so it
/// stops at completions, arrivals and overflow alone. Rounds in which tokens are generated are
/// counted apart: a request completes after its output's number of them, however many rounds pass
/// between in which memory is too full for another token.
template <class P>
class ThresholdEngine
{
  public:
    CRX_HD ThresholdEngine(P const& policy, Requests const& requests, Arena& arena)
        : policy_(policy), requests_(requests), scratch_(arena.take<RankedRequest>(requests.n)),
          rank_(arena.take<std::uint32_t>(requests.n)), began_(arena.take<Rounds>(requests.n)),
          first_token_(arena.take<Instant>(requests.n)),
          entered_(arena.take<RequestId>(requests.n)), stops_(arena, requests.n),
          waiting_(arena, requests.n), active_(arena, requests.n),
          threshold_(policy.threshold(requests.memory))
    {
    }

    /// Bytes of arena an instance of n requests takes.
    static std::size_t arena_bytes(std::int64_t n)
    {
        Arena counter(nullptr, 0);
        Requests none;
        none.n = n;
        ThresholdEngine const engine(P{}, none, counter);
        (void)engine;
        return counter.bytes_used();
    }

    template <class Words>
    CRX_HD Outcome execute(Words words, ScheduleLog const& log)
    {
        log_ = &log;
        if (requests_.n == 0) return outcome_;
        prepare();
        for (now_ = requests_.arrival[scratch_[0].id];;) {
            ++outcome_.events;
            auto const held = held_at(token_round_);
            if (held > outcome_.peak_memory) outcome_.peak_memory = held;
            complete();
            arrive();
            if (done_ < requests_.n) {
                if (held_at(token_round_ + 1) > requests_.memory) cancel(words);
                admit();
            }
            if (log.on_event != nullptr)
                log.on_event(log.context, now_, held, active_.size(), waiting_.size());
            if (done_ == requests_.n || outcome_.finished == 0) return outcome_;
            pass_time();
            if (outcome_.finished == 0) return outcome_;
        }
    }

  private:
    CRX_HD void prepare()
    {
        auto const n = requests_.n;
        for (std::int64_t i = 0; i < n; ++i) {
            auto const id = static_cast<RequestId>(i);
            scratch_[i] = {requests_.arrival[i], id, id};
            if (log_->cancellations != nullptr) log_->cancellations[i] = 0;
        }
        sort_ascending(scratch_, n);
        for (std::int64_t k = 0; k < n; ++k) rank_[scratch_[k].id] = static_cast<std::uint32_t>(k);
        waiting_.clear();
        active_.clear();
    }

    /// All active requests hold base_ + t times their number when t rounds have made tokens.
    CRX_HD Tokens held_at(Rounds t) const { return base_ + t * active_.size(); }
    CRX_HD RequestId at_rank(std::uint32_t rank) const { return scratch_[rank].id; }

    CRX_HD void complete()
    {
        while (!stops_.empty() && stops_.next_stop() <= token_round_) {
            auto const id = stops_.top();
            leave(id);
            auto const arrival = requests_.arrival[id];
            outcome_.total_latency += now_ - arrival;
            outcome_.first_token_latency += first_token_[id] - arrival;
            if (outcome_.total_latency >= time_limit) outcome_.give_up(Unfinished::out_of_range);
            outcome_.makespan = now_;
            if (log_->completion != nullptr) log_->completion[id] = now_;
            ++done_;
            rounds_without_completion_ = 0;
            cleared_ = false;
        }
    }

    CRX_HD void arrive()
    {
        for (; arrived_ < requests_.n && scratch_[arrived_].key <= now_; ++arrived_) {
            waiting_.insert(static_cast<std::uint32_t>(arrived_));
            cleared_ = false;
        }
    }

    CRX_HD void leave(RequestId id)
    {
        stops_.erase(id);
        base_ -= requests_.prompt[id] - began_[id];
        active_.erase(rank_[id]);
    }

    CRX_HD void cancel_one(RequestId id)
    {
        leave(id);
        waiting_.insert(rank_[id]);
        ++outcome_.cancellations;
        outcome_.wasted_tokens += token_round_ - began_[id];
        if (log_->cancellations != nullptr) ++log_->cancellations[id];
    }

    template <class Words>
    CRX_HD void cancel(Words& words)
    {
        auto const cancellations = outcome_.cancellations, wasted = outcome_.wasted_tokens;
        active_.for_each([&](std::uint32_t rank) {
            if (policy_.cancels(words)) cancel_one(at_rank(rank));
        });
        if constexpr (P::cancels_all)
            skip_cycles(outcome_.cancellations - cancellations, outcome_.wasted_tokens - wasted);
    }

    /// All were cancelled. If that happened before and nothing came or completed since, all that
    /// lies between happens again and again until the next arrival; whole cycles are passed at
    /// once.
    CRX_HD void skip_cycles(std::int64_t cancellations, std::int64_t wasted)
    {
        if (cleared_) {
            if (arrived_ == requests_.n) return outcome_.give_up(Unfinished::cycle);
            auto const cycle = now_ - cleared_at_;
            auto const cycles = (scratch_[arrived_].key - 1 - now_) / cycle;
            now_ += cycles * cycle;
            outcome_.cancellations += cycles * cancellations;
            outcome_.wasted_tokens += cycles * wasted;
            if (log_->cancellations != nullptr)
                for (std::int64_t k = 0; k < cancellations; ++k)
                    log_->cancellations[at_rank(first_waiting(k))] +=
                        static_cast<std::int32_t>(cycles);
        }
        cleared_ = true;
        cleared_at_ = now_;
    }
    /// Those cancelled are the first in the order: they were admitted before all who wait.
    CRX_HD std::uint32_t first_waiting(std::int64_t k)
    {
        return waiting_.select(static_cast<std::uint64_t>(k));
    }

    CRX_HD void admit()
    {
        while (waiting_.size() > 0) {
            auto const rank = waiting_.select(0);
            auto const id = at_rank(rank);
            auto const s = Tokens{requests_.prompt[id]};
            if (held_at(token_round_ + 1) + s + 1 > threshold_) return;
            waiting_.erase(rank);
            active_.insert(rank);
            base_ += s - token_round_;
            began_[id] = token_round_;
            stops_.push(id, token_round_ + requests_.output[id]);
            entered_[entered_count_++] = id;
            entered_prompts_ += s;
            if (log_->start != nullptr) log_->start[id] = now_;
        }
    }

    /// To the next round in which something can happen.
    CRX_HD void pass_time()
    {
        bool const more = arrived_ < requests_.n;
        if (active_.size() == 0) {
            if (waiting_.size() > 0) return outcome_.give_up(Unfinished::blocked);
            now_ = scratch_[arrived_].key; // idle: the next round begins at the arrival
            return;
        }
        if (held_at(token_round_ + 1) > requests_.memory)
            return let_pass(1, requests_.clock.round(held_at(token_round_), 0), false);
        auto next = stops_.next_stop();
        auto const overflow = (requests_.memory - base_) / active_.size();
        if (overflow < next) next = overflow;
        auto rounds = next - token_round_;
        Stretch const stretch{held_at(token_round_ + 1), active_.size(), entered_prompts_};
        auto const& clock = requests_.clock;
        if (more) rounds = clock.rounds_until(stretch, scratch_[arrived_].key - now_, rounds);
        if (entered_count_ > 0) {
            auto const end = now_ + clock.elapsed(stretch, 1);
            for (std::int64_t k = 0; k < entered_count_; ++k) first_token_[entered_[k]] = end;
            entered_count_ = 0;
            entered_prompts_ = 0;
        }
        token_round_ += rounds;
        let_pass(rounds, clock.elapsed(stretch, rounds), stops_.next_stop() == token_round_);
    }

    CRX_HD void let_pass(Rounds rounds, std::int64_t time, bool completes)
    {
        now_ += time;
        rounds_without_completion_ += rounds;
        if (now_ >= time_limit) outcome_.give_up(Unfinished::out_of_range);
        auto const without = rounds_without_completion_ - (completes ? 1 : 0);
        if (policy_.gives_up_after(without, requests_.memory))
            outcome_.give_up(Unfinished::round_cap);
    }

    P policy_;
    Requests requests_;
    RankedRequest* scratch_; ///< requests by (arrival, index): the order of service
    std::uint32_t* rank_;    ///< of each request in that order
    Rounds* began_;          ///< token rounds before each active request's first
    Instant* first_token_;
    RequestId* entered_; ///< admitted in this round
    StopHeap stops_;     ///< in token rounds
    IndexSet waiting_, active_;
    Tokens threshold_;
    ScheduleLog const* log_ = nullptr;
    Outcome outcome_;
    Instant now_ = 0, cleared_at_ = 0;
    Rounds token_round_ = 0; ///< rounds so far in which tokens were generated
    Rounds rounds_without_completion_ = 0;
    Tokens base_ = 0, entered_prompts_ = 0;
    std::int64_t arrived_ = 0, done_ = 0, entered_count_ = 0;
    bool cleared_ = false; ///< all were cancelled at cleared_at_, nothing came or completed since
};

} // namespace crx
