#pragma once

#include "kernels/base/arena.cuh"
#include "kernels/base/integers.cuh"
#include "kernels/engines/requests/completion_queue.cuh"
#include "kernels/engines/requests/order.cuh"
#include "kernels/model/requests.cuh"

namespace crx {

/// A set of ranks 0 .. n-1 whose members can be visited 64 at a time: a bitmap, and a bitmap of its
/// words that have members. Insertion and removal are an instruction or two a rank and can be done
/// for all ranks of a word at once; the least member is found by passing over empty words, 64 at a
/// time.
class RankSet
{
  public:
    CRX_HD RankSet(Arena& arena, std::int64_t n)
        : words_((n + 63) / 64), areas_((words_ + 63) / 64),
          word_(arena.take<std::uint64_t>(words_)), any_(arena.take<std::uint64_t>(areas_))
    {
    }

    CRX_HD void clear()
    {
        for (std::int64_t w = 0; w < words_; ++w) word_[w] = 0;
        for (std::int64_t a = 0; a < areas_; ++a) any_[a] = 0;
        size_ = first_area_ = end_area_ = 0;
    }

    CRX_HD std::int64_t size() const { return size_; }
    CRX_HD bool contains(std::uint32_t rank) const
    {
        return (word_[rank / 64] >> (rank % 64) & 1) != 0;
    }
    /// Members 64 w .. 64 w + 63 as bits.
    CRX_HD std::uint64_t word(std::uint32_t w) const { return word_[w]; }
    CRX_HD void insert(std::uint32_t rank) { insert(rank / 64, bit_of(rank), 1); }
    CRX_HD void erase(std::uint32_t rank) { erase(rank / 64, bit_of(rank), 1); }

    /// Ranks 64 w + k for the bits k of `bits`, of which there are `count`, none of them a member.
    /// Contract: count >= 1.
    CRX_HD void insert(std::uint32_t w, std::uint64_t bits, int count)
    {
        std::int64_t const area = w / 64;
        word_[w] |= bits;
        any_[area] |= bit_of(w);
        size_ += count;
        if (area < first_area_) first_area_ = area;
        if (area >= end_area_) end_area_ = area + 1;
    }
    /// Takes out members, as insert() takes them in.
    CRX_HD void erase(std::uint32_t w, std::uint64_t bits, int count)
    {
        word_[w] &= ~bits;
        if (word_[w] == 0) any_[w / 64] &= ~bit_of(w);
        size_ -= count;
    }

    /// Contract: not empty.
    CRX_HD std::uint32_t first()
    {
        while (any_[first_area_] == 0) ++first_area_;
        auto const w = 64 * first_area_ + lowest_bit(any_[first_area_]);
        return static_cast<std::uint32_t>(64 * w + lowest_bit(word_[w]));
    }
    /// Contract: not empty.
    CRX_HD std::uint32_t last()
    {
        while (any_[end_area_ - 1] == 0) --end_area_;
        auto const w = 64 * (end_area_ - 1) + bit_length(any_[end_area_ - 1]) - 1;
        return static_cast<std::uint32_t>(64 * w + bit_length(word_[w]) - 1);
    }
    /// Calls visit(w, bits) for every word w with members, in ascending order; it may take members
    /// of that word away.
    template <class Visit>
    CRX_HD void for_each_word(Visit visit)
    {
        for (auto a = first_area_; a < end_area_; ++a)
            for (auto left = any_[a]; left != 0; left &= left - 1) {
                auto const w = 64 * a + lowest_bit(left);
                visit(static_cast<std::uint32_t>(w), word_[w]);
            }
    }

  private:
    CRX_HD static std::uint64_t bit_of(std::uint32_t place)
    {
        return std::uint64_t{1} << (place % 64);
    }

    std::int64_t words_, areas_;
    std::uint64_t *word_, *any_;
    std::int64_t size_ = 0;
    std::int64_t first_area_ = 0, end_area_ = 0; ///< no member lies before or from there on
};

/// The policies that admit below a memory threshold and look no further (docs/model.md#protect,
/// docs/model.md#clear and docs/model.md#fcfs), for one instance.
///
/// Nobody waiting can be admitted while only tokens are generated, as what is held grows; so it
/// stops at completions, arrivals and overflow alone, and fcfs also in the round after one in which
/// it cancelled or its budget of prompt tokens was used up. Rounds in which tokens are generated
/// are counted apart: a request completes after its output's number of them, however many rounds
/// pass between in which memory is too full for another token.
///
/// With little protection `clear` cancels and admits requests by the million before one completes,
/// so that is what has to be cheap. Requests are named by their rank, their place in the order of
/// service. Who waits are those cancelled, and behind them all ranks from frontier_ on that have
/// arrived. From an overflow to the next completion those admitted are not put into the queue of
/// stops, as most of them are cancelled again; a lower bound on their stops is kept, and made exact
/// where it matters.
template <class P>
class ThresholdEngine
{
  public:
    CRX_HD ThresholdEngine(P const& policy, Requests const& requests, Arena& arena)
        : policy_(policy), requests_(requests), order_(arena.take<RankedRequest>(requests.n)),
          run_(arena.take<Run>(requests.n)), entered_(arena.take<std::uint32_t>(requests.n)),
          stops_(arena, requests.n), cancelled_(arena, requests.n), active_(arena, requests.n),
          queued_(arena, requests.n), threshold_(policy.threshold(requests.memory))
    {
    }

    /// Bytes of arena an instance of n requests takes.
    static std::size_t arena_bytes(std::int64_t n)
    {
        Requests none;
        none.n = n;
        return arena_bytes_of([&](Arena& arena) { ThresholdEngine(P{}, none, arena); });
    }

    template <class Words>
    CRX_HD Outcome execute(Words words, ScheduleLog const& log)
    {
        begin(words, log);
        advance(words, log, INT64_MAX);
        return outcome_;
    }

    /// All that is there before the first event.
    template <class Words>
    CRX_HD void begin(Words&, ScheduleLog const& log)
    {
        log_ = &log;
        if (requests_.n == 0) return;
        prepare();
        now_ = order_[0].key;
    }

    /// As in RequestEngine.
    template <class Words>
    CRX_HD bool advance(Words& words, ScheduleLog const& log, std::int64_t events)
    {
        log_ = &log;
        if (requests_.n == 0) return true;
        auto const end = outcome_.events + events;
        for (;;) {
            if (outcome_.events == end) return false;
            ++outcome_.events;
            auto const held = held_at(token_round_);
            if (held > outcome_.peak_memory) outcome_.peak_memory = held;
            complete();
            arrive();
            if (done_ < requests_.n) {
                bool const overflows = held_at(token_round_ + 1) > requests_.memory;
                if (overflows) cancel(words);
                if (!P::cancels_newest || !overflows)
                    admit();
                else
                    look_again_ = waiting() > 0;
            }
            if (log.on_event != nullptr)
                log.on_event(log.context, now_, held, active_.size(), waiting());
            if (done_ == requests_.n || outcome_.finished == 0) return true;
            if (log.should_abort(outcome_.events)) return true;
            pass_time();
            if (outcome_.finished == 0) return true;
        }
    }
    CRX_HD Outcome const& outcome() const { return outcome_; }

  private:
    /// A request while it runs, and what of it must be at hand.
    struct Run
    {
        Rounds began; ///< token rounds before its first
        Instant first_token;
        std::int32_t prompt, output;
    };

    CRX_HD void prepare()
    {
        auto const n = requests_.n;
        for (std::int64_t i = 0; i < n; ++i) {
            auto const id = static_cast<RequestId>(i);
            order_[i] = {requests_.arrival[i], id, id};
            log_->clear(i);
        }
        sort_ascending(order_, n);
        for (std::int64_t k = 0; k < n; ++k)
            run_[k] = {0, 0, requests_.prompt[order_[k].id], requests_.output[order_[k].id]};
        stops_.reset();
        for (auto* const set : {&cancelled_, &active_, &queued_}) set->clear();
    }

    /// All active requests hold base_ + t times their number when t rounds have made tokens.
    CRX_HD Tokens held_at(Rounds t) const { return base_ + t * active_.size(); }
    CRX_HD RequestId at_rank(std::uint32_t rank) const { return order_[rank].id; }
    CRX_HD std::int64_t waiting() const { return cancelled_.size() + arrived_ - frontier_; }
    CRX_HD Rounds stop_of(std::uint32_t rank) const { return run_[rank].began + run_[rank].output; }
    CRX_HD static std::uint32_t rank_in(std::uint32_t w, std::uint64_t bits)
    {
        return 64 * w + static_cast<std::uint32_t>(lowest_bit(bits));
    }

    CRX_HD void put_into_queue(std::uint32_t rank)
    {
        stops_.push(rank, stop_of(rank));
        queued_.insert(rank);
    }
    /// Calls visit(rank) for every active request that the queue does not know.
    template <class Visit>
    CRX_HD void for_each_outside(Visit visit)
    {
        if (crowded_)
            active_.for_each_word([&](std::uint32_t w, std::uint64_t bits) {
                for (auto left = bits & ~queued_.word(w); left != 0; left &= left - 1)
                    visit(rank_in(w, left));
            });
    }
    /// When the next request completes, or any time later than `horizon`.
    CRX_HD Rounds next_stop(Rounds horizon)
    {
        if (outside_stale_ && outside_stop_ <= horizon) {
            outside_stop_ = no_round;
            for_each_outside([&](std::uint32_t rank) {
                auto const stop = stop_of(rank);
                outside_stop_ = stop < outside_stop_ ? stop : outside_stop_;
            });
            outside_stale_ = false;
        }
        auto const queued = stops_.empty() ? no_round : stops_.next_stop();
        return queued < outside_stop_ ? queued : outside_stop_;
    }

    CRX_HD void complete()
    {
        if (next_stop(token_round_) > token_round_) return;
        for_each_outside([&](std::uint32_t rank) { put_into_queue(rank); });
        crowded_ = outside_stale_ = false;
        outside_stop_ = no_round;
        while (!stops_.empty() && stops_.next_stop() <= token_round_) {
            auto const rank = stops_.pop();
            queued_.erase(rank);
            active_.erase(rank);
            auto const& run = run_[rank];
            base_ -= run.prompt - run.began;
            auto const arrival = order_[rank].key;
            outcome_.total_latency += now_ - arrival;
            outcome_.first_token_latency += run.first_token - arrival;
            if (outcome_.total_latency >= time_limit) outcome_.give_up(Unfinished::out_of_range);
            outcome_.makespan = now_;
            if (log_->completion != nullptr) log_->completion[at_rank(rank)] = now_;
            log_->write_run(at_rank(rank), run.first_token, run.output, true);
            ++done_;
        }
        rounds_without_completion_ = 0;
        cleared_ = false;
    }

    CRX_HD void arrive()
    {
        for (; arrived_ < requests_.n && order_[arrived_].key <= now_; ++arrived_) cleared_ = false;
    }

    template <class Words>
    CRX_HD void cancel(Words& words)
    {
        if (cancels_newest()) return cancel_newest();
        auto const before = active_.size();
        auto const wasted = outcome_.wasted_tokens;
        active_.for_each_word([&](std::uint32_t w, std::uint64_t bits) {
            std::uint64_t gone = 0;
            for (auto left = bits; left != 0; left &= left - 1)
                gone |= std::uint64_t{policy_.cancels_this(words)} << lowest_bit(left);
            if (gone != 0) cancel_in_word(w, gone);
        });
        crowded_ = outside_stale_ = true;
        auto const cancellations = before - active_.size();
        outcome_.cancellations += cancellations;
        if constexpr (P::cancels_all) skip_cycles(cancellations, outcome_.wasted_tokens - wasted);
    }
    CRX_HD bool cancels_newest() const
    {
        if constexpr (requires { policy_.cancels; }) return policy_.cancels == Cancels::newest;
        return P::cancels_newest;
    }
    /// Ranks ascend with the arrival, then the index.
    CRX_HD void cancel_newest()
    {
        while (held_at(token_round_ + 1) > requests_.memory) {
            auto const rank = active_.last();
            cancel_in_word(rank / 64, std::uint64_t{1} << (rank % 64));
            ++outcome_.cancellations;
        }
        crowded_ = outside_stale_ = true;
    }
    CRX_HD void cancel_in_word(std::uint32_t w, std::uint64_t gone)
    {
        auto const count = count_bits(gone);
        active_.erase(w, gone, count);
        cancelled_.insert(w, gone, count);
        Tokens freed = 0, wasted = 0;
        for (auto left = gone; left != 0; left &= left - 1) {
            auto const& run = run_[rank_in(w, left)];
            freed += run.prompt - run.began;
            wasted += token_round_ - run.began;
            if (log_->lost != nullptr)
                log_->lost[at_rank(rank_in(w, left))] += token_round_ - run.began;
            log_->write_run(at_rank(rank_in(w, left)), run.first_token, token_round_ - run.began,
                            false);
        }
        base_ -= freed;
        outcome_.wasted_tokens += wasted;
        if (auto const known = gone & queued_.word(w); known != 0) {
            queued_.erase(w, known, count_bits(known));
            for (auto left = known; left != 0; left &= left - 1) stops_.erase(rank_in(w, left));
        }
        if (log_->cancellations == nullptr) return;
        for (; gone != 0; gone &= gone - 1) ++log_->cancellations[at_rank(rank_in(w, gone))];
    }

    /// All were cancelled. If that happened before and nothing came or completed since, all that
    /// lies between happens again and again until the next arrival; whole cycles are passed at
    /// once.
    CRX_HD void skip_cycles(std::int64_t cancellations, std::int64_t wasted)
    {
        if (cleared_) {
            if (arrived_ == requests_.n) return outcome_.give_up(Unfinished::cycle);
            auto const cycle = now_ - cleared_at_;
            auto const cycles = (order_[arrived_].key - 1 - now_) / cycle;
            // What is lost was generated in rounds of somebody's latency, all of them of length 1
            // or more.
            if (static_cast<Unsigned128>(cycles) * static_cast<Unsigned128>(wasted) +
                    static_cast<Unsigned128>(outcome_.wasted_tokens) >=
                static_cast<Unsigned128>(time_limit))
                return outcome_.give_up(Unfinished::out_of_range);
            now_ += cycles * cycle;
            outcome_.cancellations += cycles * cancellations;
            outcome_.wasted_tokens += cycles * wasted;
            if (log_->cancellations != nullptr) log_cycles(cancellations, cycles);
        }
        cleared_ = true;
        cleared_at_ = now_;
    }
    /// Those cancelled are the first in the order: they were admitted before all that wait.
    CRX_HD void log_cycles(std::int64_t cancellations, std::int64_t cycles)
    {
        cancelled_.for_each_word([&](std::uint32_t w, std::uint64_t bits) {
            for (; bits != 0 && cancellations > 0; bits &= bits - 1, --cancellations) {
                auto const rank = rank_in(w, bits);
                log_->cancellations[at_rank(rank)] += static_cast<std::int32_t>(cycles);
                if (log_->lost != nullptr)
                    log_->lost[at_rank(rank)] += cycles * (token_round_ - run_[rank].began);
            }
        });
    }

    CRX_HD void admit()
    {
        for (auto left = waiting(); left > 0; --left) {
            bool const again = cancelled_.size() > 0;
            auto const rank = again ? cancelled_.first() : static_cast<std::uint32_t>(frontier_);
            auto& run = run_[rank];
            auto const next = held_at(token_round_ + 1) + run.prompt + 1;
            if constexpr (P::cancels_newest) {
                if (next > (active_.size() == 0 ? requests_.memory : threshold_)) return;
                if (policy_.max_running > 0 && active_.size() >= policy_.max_running) return;
                if (policy_.budget > 0 && entered_count_ > 0 &&
                    entered_prompts_ + run.prompt > policy_.budget) {
                    look_again_ = true; // the next round has its own
                    return;
                }
            } else if (next > threshold_) {
                return;
            }
            if (again)
                cancelled_.erase(rank);
            else
                ++frontier_;
            active_.insert(rank);
            base_ += run.prompt - token_round_;
            entered_prompts_ += run.prompt;
            run.began = token_round_;
            entered_[entered_count_++] = rank;
            auto const stop = token_round_ + run.output;
            if (!crowded_)
                put_into_queue(rank);
            else if (stop < outside_stop_)
                outside_stop_ = stop;
            log_->write_start(at_rank(rank), now_);
        }
    }

    /// To the next round in which something can happen.
    CRX_HD void pass_time()
    {
        bool const more = arrived_ < requests_.n;
        if (active_.size() == 0) {
            if (waiting() > 0) return outcome_.give_up(Unfinished::blocked);
            now_ = order_[arrived_].key; // idle: the next round begins at the arrival
            return;
        }
        if (held_at(token_round_ + 1) > requests_.memory) {
            auto const time = requests_.clock.round(held_at(token_round_), 0, 0);
            if (log_->on_stretch != nullptr)
                log_->on_stretch(log_->stretch_context, now_, {held_at(token_round_), 0, 0}, 1,
                                 time);
            return let_pass(1, time, false);
        }
        auto const overflow = (requests_.memory - base_) / active_.size();
        auto const stop = next_stop(overflow);
        auto rounds = (overflow < stop ? overflow : stop) - token_round_;
        if (look_again_) rounds = 1;
        look_again_ = false;
        Stretch const stretch{held_at(token_round_ + 1), active_.size(), entered_prompts_};
        auto const& clock = requests_.clock;
        if (more) rounds = clock.rounds_until(stretch, order_[arrived_].key - now_, rounds);
        if (entered_count_ > 0) {
            auto const end = now_ + clock.elapsed(stretch, 1);
            for (std::int64_t k = 0; k < entered_count_; ++k) run_[entered_[k]].first_token = end;
            entered_count_ = 0;
            entered_prompts_ = 0;
        }
        token_round_ += rounds;
        auto const time = clock.elapsed(stretch, rounds);
        if (log_->on_stretch != nullptr)
            log_->on_stretch(log_->stretch_context, now_, stretch, rounds, time);
        let_pass(rounds, time, stop == token_round_);
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
    RankedRequest* order_;   ///< requests by (arrival, index)
    Run* run_;               ///< by rank
    std::uint32_t* entered_; ///< admitted in this round
    CompletionQueue stops_;  ///< in token rounds, by rank
    RankSet cancelled_, active_, queued_;
    Tokens threshold_;
    ScheduleLog const* log_ = nullptr;
    Outcome outcome_;
    Instant now_ = 0, cleared_at_ = 0;
    Rounds token_round_ = 0; ///< rounds so far in which tokens were generated
    Rounds rounds_without_completion_ = 0;
    Rounds outside_stop_ = no_round; ///< no request outside the queue stops before
    Tokens base_ = 0, entered_prompts_ = 0;
    std::int64_t arrived_ = 0, done_ = 0;
    std::int64_t frontier_ = 0; ///< ranks below it were admitted at least once
    std::int64_t entered_count_ = 0;
    bool look_again_ = false;    ///< who waits may be admitted in the next round, whatever happens
    bool crowded_ = false;       ///< an overflow came after the last completion
    bool outside_stale_ = false; ///< perhaps no request outside the queue stops in outside_stop_
    bool cleared_ = false; ///< all were cancelled at cleared_at_, nothing came or completed since
};

} // namespace crx
