#pragma once

#include "kernels/engines/cohorts/a_min_batch/linked_cohorts.hh"
#include "kernels/engines/cohorts/a_min_batch/overflow_lanes.hh"
#include "kernels/engines/cohorts/lottery/class_lottery.cuh"
#include "kernels/engines/cohorts/room_window.hh"
#include "kernels/engines/cohorts/wide_pools.hh"
#include "kernels/model/latency_range.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/traits.cuh"

// CPU only, as wide_lanes.hh: included by learned_wide_form.hh alone.

namespace crx {
namespace {

/// LearnedLengthsEngine for the CPU; its comments hold here. What is other: rooms by round instead
/// of ends (RoomWindow), draws in lanes (OverflowLanes), and those who were admitted stay in their
/// pools until it is known that they are not cancelled in the next round, as they are as a rule.
template <Outlived outlived>
class LearnedWideEngine
{
  public:
    LearnedWideEngine(WorkloadView const& w, Composition const& composition, std::uint32_t stream,
                      std::uint64_t instance, Arena& arena)
        : composition_(composition), words_(w.seed, stream, instance), halves_(words_),
          lottery_(composition, arena, static_cast<std::int64_t>(w.output_value.size())),
          lower_(static_cast<std::uint32_t>(composition.lower)),
          upper_(static_cast<std::uint32_t>(composition.upper)),
          first_longer_(arena.take<std::int32_t>(upper_ + 2)),
          room_(arena, composition.upper, composition.prompt, composition.memory),
          waiting_(arena, lower_, upper_),
          active_(arena,
                  arena.take<LinkedCohort>(Cohorts::block_size(upper_, most_learning_cohorts(w))),
                  0, upper_, most_learning_cohorts(w)),
          started_pool_(arena.take<std::uint32_t>(upper_ + 2)),
          started_count_(arena.take<std::int32_t>(upper_ + 2)),
          group_(arena.take<CancelGroup>(most_groups())),
          sums_(arena.take<std::int64_t>(most_groups() / OverflowDraw::block + 1))
    {
    }

    Outcome execute(ScheduleLog const& log)
    {
        if (composition_.requests == 0) return outcome_;
        open();
        bool const logged = log.on_event != nullptr || log.abandon != nullptr;
        for (Rounds t = 0;;) {
            ++outcome_.events;
            room_.reach(t);
            auto const held = load_.held;
            if (held > outcome_.peak_memory) outcome_.peak_memory = held;
            if (active_.any_stopping(t)) {
                enter(t);
                if (passes_range(t, outcome_.total_latency, composition_.requests - done_)) {
                    outcome_.give_up(Unfinished::out_of_range);
                    return outcome_;
                }
                complete(t);
            }
            cancel_on_overflow(t);
            admit(t);
            if constexpr (outlived == Outlived::weightless)
                if (cancel_on_overflow(t)) look_again_ = true; // there may be room again
            if (logged) {
                if (log.on_event != nullptr)
                    log.on_event(log.context, t, held, load_.requests, all_waiting());
                if (log.abandons(outcome_.events)) break;
            }
            if (done_ == composition_.requests) break;
            if (look_again_ || load_.next(2) > composition_.memory) { // the next round
                if (composition_.value[0] == 1) enter(t);             // those may complete then
                load_.held = load_.next();
                ++t;
                continue;
            }
            auto const next = next_event(t);
            CRX_ENSURE(next != no_round);
            load_.held = load_.next(next - t);
            t = next;
        }
        outcome_.cancellations = admitted_ - done_ - load_.requests;
        outcome_.wasted_tokens = freed_ - composition_.prompt * outcome_.cancellations;
        return outcome_;
    }

  private:
    using Cohorts = LinkedCohorts<1>;

    /// All active requests and the memory they hold now; each has a token more a round later.
    struct Load
    {
        Tokens held = 0;
        std::int64_t requests = 0;
        Tokens next(Rounds rounds = 1) const { return held + rounds * requests; }
    };

    /// Cohorts of one working length: one for each start, of either knowledge.
    std::int64_t most_groups() const { return 2 * (std::int64_t{composition_.upper} + 1); }

    void open()
    {
        waiting_.clear();
        active_.clear();
        room_.clear();
        waiting_.put(lower_, false, static_cast<std::int32_t>(composition_.requests));
        std::int32_t k = 0;
        first_longer_[lower_] = 0; // nothing is known of them
        for (auto e = lower_; e <= upper_; ++e) {
            while (k < composition_.classes &&
                   static_cast<std::uint32_t>(composition_.value[k]) <= e)
                ++k;
            first_longer_[e + 1] = k;
        }
    }

    std::int64_t all_waiting() const { return composition_.requests - done_ - load_.requests; }
    static std::int64_t generated(Rounds t, LinkedCohort const& cohort)
    {
        return static_cast<std::uint32_t>(t) - cohort.start;
    }

    [[gnu::noinline]] void complete(Rounds t)
    {
        for (auto id = active_.take_stopping(t); !active_.is_head(id);) {
            auto& cohort = active_[id];
            auto const next = cohort.next_stopping;
            auto const k = cohort.next_class;
            auto const ended = lottery_.draw(k, cohort.count, words_);
            load_ = leave(t, cohort, ended, load_);
            done_ += ended;
            outcome_.total_latency += ended * t;
            if (ended > 0) outcome_.makespan = t;
            if (cohort.count == 0) {
                active_.forget(id);
            } else {
                active_.set_stop(id, t + composition_.value[k + 1] - composition_.value[k]);
                cohort.next_class = k + 1;
            }
            id = next;
        }
    }
    Load leave(Rounds t, LinkedCohort& cohort, std::int64_t m, Load load)
    {
        auto const g = generated(t, cohort), left = cohort.length - g;
        if (left > 0) room_.take(-m, g, left);
        cohort.count -= static_cast<std::int32_t>(m);
        return {load.held - m * (composition_.prompt + g), load.requests - m};
    }

    /// Leaves nobody to be entered. Returns whether anybody was cancelled.
    bool cancel_on_overflow(Rounds t)
    {
        auto load = load_;
        if (load.next() <= composition_.memory) {
            enter(t);
            return false;
        }
        if (started_ > 0) load = cancel_started(t, load);
        while (load.next() > composition_.memory) {
            auto const excess = load.next() - composition_.memory;
            auto const first = active_.first_of_least();
            auto const& cohort = active_[first];
            if (!active_.is_head(cohort.next_alike)) [[unlikely]] {
                load = cancel_some(t, first, load);
                continue;
            }
            // As a rule nothing is random.
            auto const tokens = composition_.prompt + generated(t, cohort) + 1;
            auto m = std::int64_t{cohort.count};
            if (m * tokens > excess) m = least_that_hold(tokens, excess);
            load = cancel(t, first, m, load);
        }
        freed_ += load_.held - load.held;
        load_ = load;
        return true;
    }

    /// The least m >= 1 with m tokens >= excess.
    static std::int64_t least_that_hold(Tokens tokens, Tokens excess)
    {
        if (excess <= 4 * tokens) // often, and a division takes its time
            return 1 + (excess > tokens) + (excess > 2 * tokens) + (excess > 3 * tokens);
        return (static_cast<std::uint32_t>(excess + tokens) - 1) /
               static_cast<std::uint32_t>(tokens);
    }

    /// Those who started last, if nobody else has as short a working length, are the first to go:
    /// as a rule all of them, and they are where they were, since one round outlives no working
    /// length. Who stays is entered.
    Load cancel_started(Rounds t, Load load)
    {
        auto const tokens = composition_.prompt + (t - start_); // of each
        auto const least = active_.empty() ? upper_ + 1 : active_[active_.first_of_least()].length;
        auto gone = started_;
        if (last_length_ >= least || load.next() - composition_.memory < gone * (tokens + 1))
            gone = take_back(tokens + 1, load.next() - composition_.memory, least);
        started_ -= gone;
        load.held -= gone * tokens;
        load.requests -= gone;
        enter(t);
        return load;
    }
    /// Takes back as many of those who started last as hold the excess, by rising working length,
    /// as far as it is below `least` and nothing is random; returns how many.
    [[gnu::noinline]] std::int64_t take_back(Tokens tokens, Tokens excess, std::uint32_t least)
    {
        auto const length = [&](std::uint32_t k) { return waiting_.length_of(started_pool_[k]); };
        auto const wanted = (excess + tokens - 1) / tokens;
        auto left = wanted;
        auto& k = started_from_;
        for (; k < started_size_ && length(k) < least; ++k) {
            // Of those with length l some may be known to have outlived it: which of them go is
            // drawn.
            if (k + 1 < started_size_ && length(k) == length(k + 1) &&
                (started_count_[k] + started_count_[k + 1]) * tokens > excess)
                break;
            auto const m = left < started_count_[k] ? left : started_count_[k];
            started_count_[k] -= static_cast<std::int32_t>(m);
            left -= m;
            if (started_count_[k] > 0) break;
        }
        return wanted - left;
    }

    [[gnu::noinline]] Load cancel_some(Rounds t, std::uint32_t first, Load load)
    {
        auto const most_tokens = wide::all(static_cast<std::int32_t>(composition_.prompt + t + 1));
        std::uint32_t size = 0;
        // Registers are filled, as memory that was written by parts is not read at once.
        for (auto id = first; !active_.is_head(id);) {
            if (size == LaneGroups::most) return cancel_of_many(t, first, load);
            auto const begin = size;
            wide::Ints start{}, count{};
            for (std::uint32_t lane = 1; lane != 1 << wide::lanes && !active_.is_head(id);
                 lane *= 2) {
                auto const& cohort = active_[id];
                lane_.cohort[size++] = id;
                start = wide::put(start, lane, static_cast<std::int32_t>(cohort.start));
                count = wide::put(count, lane, cohort.count);
                id = cohort.next_alike;
            }
            wide::store(lane_.tokens + begin, most_tokens - start);
            wide::store(lane_.pool + begin, count);
        }
        auto const excess = load.next() - composition_.memory;
        draw_overflow(lane_, size, halves_, words_, excess);
        for (std::uint32_t b = 0; b < size; b += wide::lanes) {
            auto const cancelled = wide::load(lane_.cancelled + b);
            for (std::uint64_t who = wide::bits(wide::not_zero(cancelled)); who != 0;
                 who &= who - 1) {
                auto const j = b + static_cast<std::uint32_t>(lowest_bit(who));
                load = cancel(t, lane_.cohort[j], lane_.cancelled[j], load);
            }
        }
        return load;
    }
    [[gnu::noinline]] Load cancel_of_many(Rounds t, std::uint32_t first, Load load)
    {
        std::int64_t size = 0;
        for (auto id = first; !active_.is_head(id); id = active_[id].next_alike) {
            auto const& cohort = active_[id];
            group_[size++] = {static_cast<std::int32_t>(id),
                              composition_.prompt + generated(t, cohort) + 1, cohort.count, 0, 0};
        }
        auto words = words_.stream();
        OverflowDraw(group_, size, sums_, words).execute(load.next() - composition_.memory);
        words_.go_on(words);
        for (std::int64_t j = 0; j < size; ++j)
            if (group_[j].cancelled > 0)
                load = cancel(t, static_cast<std::uint32_t>(group_[j].cohort), group_[j].cancelled,
                              load);
        return load;
    }

    Load cancel(Rounds t, std::uint32_t id, std::int64_t m, Load load)
    {
        auto& cohort = active_[id];
        auto const g = static_cast<std::uint32_t>(t) - cohort.start;
        auto const e = cohort.length > g ? cohort.length : g;
        waiting_.put(e, e > lower_ || cohort.next_class > 0, static_cast<std::int32_t>(m));
        load = leave(t, cohort, m, load);
        if (cohort.count == 0) active_.remove(id);
        return load;
    }

    /// Contract: nobody is left to be entered.
    void admit(Rounds t)
    {
        blocked_ = 0;
        look_again_ = false;
        auto waiting = all_waiting();
        if (waiting == 0) return;
        auto const s = composition_.prompt;
        // Places for whom there is memory now, then for whom there is at all times to come.
        auto most = composition_.memory - (outlived == Outlived::counted ? load_.next() : 0);
        if (s > 0) most /= s + 1;
        auto const before = waiting;
        std::uint32_t size = 0;
        auto e = waiting_.least();
        for (auto fit = room_.most(0, e);;) {
            std::int64_t const candidates = waiting_.with_length(e);
            most = fit < most ? fit : most;
            auto const m = most < candidates ? most : candidates;
            size = start(e, m, size);
            waiting -= m;
            if (m < candidates) {
                blocked_ = e;
                break;
            }
            if (waiting == 0) break;
            most -= m;
            auto const seen = e;
            e = waiting_.next(e);
            fit = room_.most(seen, e);
        }
        started_size_ = size;
        started_from_ = 0;
        last_length_ = e;
        start_ = t;
        started_ = before - waiting;
        admitted_ += started_;
        load_.held += started_ * s;
        load_.requests += started_;
    }
    /// m of those who wait with length e start, behind `size` pools that others come from; how many
    /// pools there are then.
    std::uint32_t start(std::uint32_t e, std::int64_t m, std::uint32_t size)
    {
        if (e == lower_) [[unlikely]] {
            auto const unknown =
                hypergeometric_ahead(waiting_.with_length(e), waiting_.count(e), m, words_);
            size = start_from(e, unknown, size);
            m -= unknown;
        }
        return start_from(e + 1, m, size);
    }
    /// No branch: whether nobody does cannot be foreseen.
    std::uint32_t start_from(std::uint32_t pool, std::int64_t m, std::uint32_t size)
    {
        started_pool_[size] = pool;
        started_count_[size] = static_cast<std::int32_t>(m);
        return size + (m > 0);
    }

    /// Enters those who started last, if they are not yet, among all others.
    void enter(Rounds t)
    {
        if (started_ > 0) enter_started(t);
    }
    [[gnu::noinline]] void enter_started(Rounds t)
    {
        auto const length = [&](std::uint32_t k) { return waiting_.length_of(started_pool_[k]); };
        auto const g = t - start_;
        constexpr std::uint32_t few = 6;
        auto const from = started_from_;
        if (started_size_ - from > few)
            room_.take_all(started_count_ + from, started_size_ - from, g,
                           [&](std::uint32_t k) { return length(from + k); });
        else
            for (auto k = from; k < started_size_; ++k)
                room_.take(started_count_[k], g, length(k) - g);
        for (auto k = from; k < started_size_; ++k) {
            auto const pool = started_pool_[k];
            auto const count = started_count_[k];
            waiting_.take(pool, count);
            auto const next_class = first_longer_[pool];
            active_.add(start_, count, length(k), next_class,
                        start_ + composition_.value[next_class]);
        }
        started_ = 0;
    }

    /// Next round in which anything can happen: overflow, room for the first that waits, or a
    /// completion. Contract: it is not known to be the next round.
    [[gnu::noinline]] Rounds next_event(Rounds t)
    {
        enter(t);
        auto limit = no_round;
        if (load_.requests > 0) { // the least t' at whose next time more than M would be held
            auto const overflow = t + (composition_.memory - load_.held) / load_.requests;
            if (overflow > t) limit = overflow;
        }
        if (blocked_ > 0 && limit > t + 1) {
            // Only a completion or a cancellation makes room for the next token.
            if (outlived == Outlived::weightless || fits_next_token(1)) {
                auto const fit = room_.first_fit(blocked_, limit - t);
                if (fit < limit - t && (outlived == Outlived::weightless || fits_next_token(fit)))
                    limit = t + fit;
            }
        }
        return active_.next_stop(t, limit);
    }
    /// Whether a request that starts so many rounds from now has room for its first token.
    bool fits_next_token(Rounds rounds) const
    {
        return load_.next(rounds + 1) + composition_.prompt + 1 <= composition_.memory;
    }

    Composition composition_;
    WordsAhead words_;
    HalvesAhead halves_;
    ClassLottery lottery_;
    std::uint32_t lower_, upper_;
    std::int32_t* first_longer_; ///< by pool: the shortest class its members can be of
    RoomWindow room_;
    WidePools waiting_; ///< with those who are still to be entered
    Cohorts active_;
    std::uint32_t* started_pool_; ///< of those who were admitted last, by rising length
    std::int32_t* started_count_;
    std::uint32_t started_size_ = 0; ///< pools that some of them come from
    std::uint32_t started_from_ = 0; ///< the first of these who has not gone again
    std::uint32_t last_length_ = 0;  ///< the longest of them
    Rounds start_ = 0;               ///< when they were
    std::int64_t started_ = 0;       ///< how many are to be entered, if they are not cancelled
    LaneGroups lane_;
    CancelGroup* group_; ///< where there are more of them
    std::int64_t* sums_;
    Outcome outcome_;
    Load load_;
    std::int64_t done_ = 0;
    std::int64_t admitted_ = 0; ///< how often anybody was
    Tokens freed_ = 0;          ///< by cancellations
    std::int64_t blocked_ = 0;  ///< working length of the first that waits for room; 0: nobody
    bool look_again_ = false;   ///< the next round admits again, whatever happens
};

} // namespace
} // namespace crx
