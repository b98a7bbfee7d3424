#pragma once

#include "kernels/base/lane_numbers.hh"
#include "kernels/engines/cohorts/active_cohorts.cuh"
#include "kernels/engines/cohorts/class_sampler.cuh"
#include "kernels/engines/cohorts/overflow_lanes.hh"
#include "kernels/engines/requests/completion_queue.cuh"
#include "kernels/model/requests.cuh"
#include "kernels/model/workload.cuh"
#include "kernels/policies/traits.cuh"

#include <bit>
#include <vector>

// For sources *_simd.cc.

namespace crx {
namespace {

/// What AMinBatchEngine keeps of all its instances, a column for each, so that a row of one
/// number of all of them is a register. Whole numbers; time is the same in all columns.
struct AMinBatchColumns
{

    static constexpr int lanes = Ints::count;
    /// Those with one working end, the last round that they are planned to hold memory in.
    struct End
    {
        Ints heads;
        Ints tokens; ///< that they are to hold in that round
    };
    struct Pool
    {
        Ints waiting; ///< those in `taken` too
        Ints taken;   ///< admitted last and not yet entered
    };
    static constexpr std::int32_t never = 1 << 30;

    explicit AMinBatchColumns(WorkloadView const& w)
        : prompt(static_cast<std::int32_t>(w.prompt_constant)),
          memory(static_cast<std::int32_t>(w.memory)), lower(w.interval.lower),
          upper(w.interval.upper),
          rounds(static_cast<std::int32_t>(std::bit_ceil(static_cast<std::uint32_t>(upper) + 1))),
          end(static_cast<std::size_t>(rounds)), stopping(end.size()),
          pool(static_cast<std::size_t>(upper) + 1)
    {
    }

    void clear()
    {
        for (auto& row : end) row = End{Ints{}, Ints{}};
        for (auto& columns : stopping) columns = 0;
        for (auto& row : pool) row = Pool{Ints{}, Ints{}};
        planned_heads = planned = held = active = waiting = unknown = started = started_unknown =
            last_length = Ints{};
        front_start = front_count = waiting_queue = front_many = Ints{};
        front_length = wake = Ints::all(never);
        peak = events = freed = admitted = Ints{};
    }

    /// Of round t.
    End& end_at(std::int32_t t) { return end[row_of(t)]; }
    std::uint32_t& stopping_at(std::int32_t t) { return stopping[row_of(t)]; }

    std::size_t row_of(std::int32_t t) const
    {
        return static_cast<std::size_t>(t) & static_cast<std::size_t>(rounds - 1);
    }

    std::int32_t prompt, memory, lower, upper;
    std::int32_t rounds;                 ///< that are kept: a power of two
    std::vector<End> end;                ///< by round modulo it
    std::vector<std::uint32_t> stopping; ///< a bit for each column in which something may complete
    std::vector<Pool> pool;              ///< by working length

    // If no request outlives its working length: requests that hold memory in the next round, and
    // how much.
    Ints planned_heads, planned;
    Ints held, active; ///< memory held now, and requests that hold it
    Ints waiting;      ///< requests
    Ints unknown;      ///< in pool l: of which nothing is known
    Ints started;      ///< how many are in `taken`; 0: its rows mean nothing
    Ints started_unknown;
    Ints last_length; ///< the longest in `taken`
    Ints wake;        ///< next round in which anything happens
    // The first cohort with the least working length. `never` for a length: no request is active.
    Ints front_start, front_count, front_length, waiting_queue;
    Ints front_many; ///< not 0: it is not alone
    Ints peak, events;
    Ints freed, admitted; ///< since they were last added up; freed memory, admissions
};

/// Where LearnedLanes work, one after the other.
struct LaneSpace
{
    // Draws among more cohorts than LaneGroups holds.
    std::vector<CancelGroup> group;
    std::vector<std::int64_t> sums;
    std::vector<std::int32_t> earliest; ///< start, by round from now
};

/// One instance of AMinBatchEngine: its words and its cohorts, and what happens seldom or to few
/// instances at a time. The rest stands in its column. Comments of LearnedLengthsEngine hold here.
///
/// How many the first cohort with the least working length has is kept in its column alone, until
/// put_back().
class AMinBatchLane
{
  public:
    /// The first cohort with the least working length, as in its column.
    struct Front
    {
        std::int32_t start, count, length, next_class, many;
    };

    AMinBatchLane(WorkloadView const& w, Composition const& composition, std::uint32_t stream,
                  std::uint64_t instance, int column, AMinBatchColumns& columns, LaneSpace& space,
                  Arena& arena, std::int64_t most_cohorts)
        : c_(columns), space_(space), composition_(composition), words_(w.seed, stream, instance),
          sampler_(composition, arena, static_cast<std::int64_t>(w.output_value.size())),
          first_longer_(arena.take<std::int32_t>(w.interval.upper + 2)),
          active_(arena, w.interval.lower, w.interval.upper, most_cohorts), at_(column)
    {
    }

    /// Everybody waits.
    void open()
    {
        active_.clear();
        std::int32_t k = 0;
        first_longer_[c_.lower] = 0; // nothing is known of them
        for (auto e = c_.lower; e <= c_.upper; ++e) {
            while (k < composition_.classes && composition_.value[k] <= e) ++k;
            first_longer_[e + 1] = k;
        }
        c_.pool[lower()].waiting[at_] = c_.unknown[at_] = c_.waiting[at_] =
            static_cast<std::int32_t>(composition_.requests);
        c_.wake[at_] = 0;
    }

    bool done() const { return done_ == composition_.requests; }
    /// Whether some complete a round after they start.
    bool any_of_one_token() const { return composition_.value[0] == 1; }
    bool any_stopping(std::int32_t t) const { return active_.first_stopping(t) >= 0; }

    /// Those that start now, m of which have the least working length l: how many of them are of
    /// those of which nothing is known.
    void draw_unknown(std::int32_t m)
    {
        c_.started_unknown[at_] = static_cast<std::int32_t>(
            hypergeometric(c_.pool[lower()].waiting[at_], c_.unknown[at_], m, words_));
    }

    /// Makes the column's first cohort the list's again.
    void put_back()
    {
        if (c_.front_length[at_] != AMinBatchColumns::never)
            active_[active_.first_of_least()].count = c_.front_count[at_];
    }
    void look_at_front()
    {
        auto const front = this->front();
        c_.front_start[at_] = front.start;
        c_.front_count[at_] = front.count;
        c_.front_length[at_] = front.length;
        c_.waiting_queue[at_] = front.next_class;
        c_.front_many[at_] = front.many;
    }

    /// m of those that waited with working length e have started in this round. Contract: between
    /// put_back() and look_at_front().
    void enter(std::int32_t start, std::int32_t e, std::int32_t m)
    {
        if (e == c_.lower) {
            auto const unknown = c_.started_unknown[at_];
            c_.unknown[at_] -= unknown;
            if (unknown > 0) add(start, unknown, e, 0);
            m -= unknown;
            if (m == 0) return;
        }
        add(start, m, e, first_longer_[e + 1]);
    }

    [[gnu::noinline]] void complete(std::int32_t t)
    {
        put_back();
        for (auto id = active_.first_stopping(t); id >= 0;) {
            auto& cohort = active_[id];
            auto const next = cohort.next_stopping;
            auto const k = cohort.next_class;
            auto const ended = static_cast<std::int32_t>(sampler_.draw(k, cohort.count, words_));
            leave(t, cohort, ended);
            c_.held[at_] -= ended * (c_.prompt + t - static_cast<std::int32_t>(cohort.start));
            c_.active[at_] -= ended;
            done_ += ended;
            total_latency_ += std::int64_t{ended} * t;
            if (ended > 0) makespan_ = t;
            if (cohort.count == 0) {
                active_.remove(id);
            } else {
                auto const stop = t + composition_.value[k + 1] - composition_.value[k];
                active_.move_stop(id, stop, k + 1);
                note_stop(stop);
            }
            id = next;
        }
        look_at_front();
    }

    // Where several cohorts have the least working length, which is cancelled is drawn. In three
    // steps, so that what is written down one by one for a lane has long been when it is read as
    // registers. Contract: no request is left to be entered.
    [[gnu::noinline]] void gather(std::int32_t t)
    {
        put_back();
        size_ = 0;
        for (auto id = active_.first_of_least(); id >= 0; id = active_[id].next_alike) {
            auto const& cohort = active_[id];
            if (size_ < LaneGroups::most) {
                groups_.cohort[size_] = id;
                groups_.tokens[size_] = static_cast<std::int32_t>(c_.prompt + t + 1 - cohort.start);
                groups_.pool[size_] = static_cast<std::int32_t>(cohort.count);
            }
            ++size_;
        }
    }
    void draw()
    {
        auto const excess = Tokens{c_.held[at_]} + c_.active[at_] - c_.memory;
        if (size_ <= LaneGroups::most) draw_overflow(groups_, size_, words_, excess);
    }
    [[gnu::noinline]] void cancel_drawn(std::int32_t t)
    {
        if (size_ > LaneGroups::most)
            cancel_of_many(t);
        else
            cancel_gathered(t);
        look_at_front();
    }

    /// The first cohort has lost everybody; the next one.
    Front remove_front()
    {
        active_.remove(active_.first_of_least());
        return front();
    }

    /// Next round in which anything can happen: overflow, room for the first that waits, or a
    /// completion. Contract: it is not known to be the next round, no request is left to be
    /// entered.
    template <Outlived outlived>
    [[gnu::noinline]] std::int32_t next_event(std::int32_t t) const
    {
        auto const requests = c_.active[at_];
        auto limit = no_round;
        if (requests > 0) { // the least t' at whose next time more than M would be held
            auto const overflow = t + (c_.memory - c_.held[at_]) / requests;
            if (overflow > t) limit = overflow;
        }
        // Only a completion or a cancellation makes room for the next token.
        constexpr bool any = outlived == Outlived::weightless;
        if (c_.waiting[at_] > 0 && limit > t + 1 && (any || fits_next_token(1))) {
            auto const fit = first_fit(t, least_that_waits(), limit - t);
            if (fit < limit - t && (any || fits_next_token(fit))) limit = t + fit;
        }
        auto const next = active_.next_stop(t, limit);
        CRX_ENSURE(next < AMinBatchColumns::never);
        return static_cast<std::int32_t>(next);
    }

    Outcome outcome(std::int64_t admitted, std::int64_t freed) const
    {
        Outcome outcome;
        outcome.total_latency = total_latency_;
        outcome.makespan = makespan_;
        outcome.peak_memory = c_.peak[at_];
        outcome.events = c_.events[at_];
        outcome.cancellations = admitted - done_;
        outcome.wasted_tokens = freed - composition_.prompt * outcome.cancellations;
        return outcome;
    }

  private:
    Front front()
    {
        auto const first = active_.first_of_least();
        if (first < 0) return {0, 0, AMinBatchColumns::never, 0, 0};
        auto const& front = active_[first];
        return {static_cast<std::int32_t>(front.start), static_cast<std::int32_t>(front.count),
                front.length, front.next_class, front.next_alike >= 0};
    }
    std::size_t lower() const { return static_cast<std::size_t>(c_.lower); }

    void note_stop(std::int32_t round) { c_.stopping_at(round) |= 1u << at_; }
    void add(std::int32_t start, std::int32_t count, std::int32_t length, std::int32_t next_class)
    {
        auto const stop = start + composition_.value[next_class];
        active_.add(start, count, length, next_class, stop);
        note_stop(stop);
    }

    /// m with g tokens and this working length, which they have not outlived, are planned for no
    /// more.
    void plan_less(std::int32_t t, std::int32_t g, std::int32_t length, std::int32_t m)
    {
        auto& end = c_.end_at(t - g + length);
        end.heads[at_] -= m;
        end.tokens[at_] -= m * (c_.prompt + length);
        c_.planned_heads[at_] -= m;
        c_.planned[at_] -= m * (c_.prompt + g + 1);
    }
    /// m leave a cohort; what they hold is counted elsewhere.
    void leave(std::int32_t t, ActiveCohort& cohort, std::int32_t m)
    {
        auto const g = t - static_cast<std::int32_t>(cohort.start);
        if (cohort.length > g) plan_less(t, g, cohort.length, m);
        cohort.count -= m;
    }
    /// m of a cohort wait again; they are counted elsewhere.
    void send_back(std::int32_t t, std::int32_t id, std::int32_t m)
    {
        auto& cohort = active_[id];
        auto const g = t - static_cast<std::int32_t>(cohort.start);
        auto const e = cohort.length > g ? cohort.length : g;
        c_.pool[static_cast<std::size_t>(e)].waiting[at_] += m;
        if (e == c_.lower && cohort.next_class == 0) c_.unknown[at_] += m;
        leave(t, cohort, m);
        if (cohort.count == 0) active_.remove(id);
    }
    /// m were cancelled, which held so many tokens in all.
    void count_cancelled(std::int32_t m, std::int32_t tokens)
    {
        c_.waiting[at_] += m;
        c_.active[at_] -= m;
        c_.held[at_] -= tokens;
        c_.freed[at_] += tokens;
    }

    void cancel_gathered(std::int32_t t)
    {
        auto all = Ints{}, held = all;
        for (std::uint32_t b = 0; b < size_; b += Ints::count) {
            auto const cancelled = Ints::load(groups_.cancelled + b);
            auto const some = not_zero(cancelled);
            all += cancelled;
            held += cancelled * or_zero(some, Ints::load(groups_.tokens + b) - 1);
            for (std::uint64_t left = bits_of(some); left != 0; left &= left - 1) {
                auto const j = b + static_cast<std::uint32_t>(lowest_bit(left));
                send_back(t, groups_.cohort[j], groups_.cancelled[j]);
            }
        }
        count_cancelled(sum_of(all), sum_of(held));
    }
    [[gnu::noinline]] void cancel_of_many(std::int32_t t)
    {
        auto const excess = Tokens{c_.held[at_]} + c_.active[at_] - c_.memory;
        auto& group = space_.group;
        std::size_t size = 0;
        for (auto id = active_.first_of_least(); id >= 0; id = active_[id].next_alike) {
            auto const& cohort = active_[id];
            group[size++] = {id, c_.prompt + t - static_cast<std::int32_t>(cohort.start) + 1,
                             cohort.count, 0, 0};
        }
        OverflowDraw(group.data(), static_cast<std::int64_t>(size), space_.sums.data(), words_)
            .execute(excess);
        for (std::size_t j = 0; j < size; ++j) {
            auto const m = static_cast<std::int32_t>(group[j].cancelled);
            if (m == 0) continue;
            send_back(t, group[j].cohort, m);
            count_cancelled(m, m * static_cast<std::int32_t>(group[j].tokens - 1));
        }
    }

    /// Whether a request that starts so many rounds from now has room for its first token.
    bool fits_next_token(Rounds rounds) const
    {
        return c_.held[at_] + (rounds + 1) * c_.active[at_] + c_.prompt + 1 <= c_.memory;
    }
    std::int32_t least_that_waits() const
    {
        auto e = c_.lower;
        while (c_.pool[static_cast<std::size_t>(e)].waiting[at_] == 0) ++e;
        return e;
    }
    /// The least k >= 1, below `limit`, so that a request of working length e passes the look-ahead
    /// check k rounds from now if nothing else changes; `limit` if there is none.
    Rounds first_fit(std::int32_t t, std::int32_t e, Rounds limit) const
    {
        // earliest[k]: a start before that would want more memory in k + 1 rounds than is left.
        auto* const earliest = space_.earliest.data();
        auto heads = c_.planned_heads[at_], planned = c_.planned[at_];
        auto const all = c_.memory - c_.prompt;
        std::int32_t known = 0;
        for (std::int32_t k = 1; k < limit;) {
            for (; known < k + e; ++known) {
                auto const left = all > planned ? all - planned : 0;
                earliest[known] = known + 1 - left;
                // At most a round after this one, so all starts before `limit` want this round.
                if (earliest[known] >= limit) return limit;
                if (known < c_.upper) {
                    auto const& end = c_.end_at(t + known + 1);
                    heads -= end.heads[at_];
                    planned += heads - end.tokens[at_];
                }
            }
            auto next = k;
            for (auto round = k; round < k + e; ++round)
                next = earliest[round] > next ? earliest[round] : next;
            if (next == k) return k;
            k = next;
        }
        return limit;
    }

    AMinBatchColumns& c_;
    LaneSpace& space_;
    Composition composition_;
    BufferedWords words_;
    ClassSampler sampler_;
    std::int32_t* first_longer_; ///< [e + 1]: shortest class of those that outlived e;
                                 ///< [l]: of those of which nothing is known
    ActiveCohorts active_;
    int at_;                 ///< its column
    std::uint32_t size_ = 0; ///< of the cohorts gathered last
    LaneGroups groups_;      ///< they, if it holds them
    std::int64_t done_ = 0;
    std::int64_t total_latency_ = 0, makespan_ = 0;
};

} // namespace
} // namespace crx
