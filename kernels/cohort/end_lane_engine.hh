#pragma once

#include "kernels/base/lane_numbers.hh"
#include "kernels/cohort/counted_line.hh"
#include "kernels/cohort/end_lanes.hh"
#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/random/hypergeometric_lanes.hh"

#include <cstring>
#include <memory>

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// The round model where all who start together leave together, at their working end, and working
/// lengths only rise: mc-sf, shortest class first, and a-ell where every output is l or u. An
/// instance in each lane: KnownLengthsEngine, and HiddenLengthsEngine for its two lengths.
///
/// Cohorts end in the order in which they started. Of each is kept the memory left at its working
/// end, which is the most that is held from its predecessor's end on. With E = s + its working end
/// and R that room, a request that starts in round t takes E - t of R; so min floor(R / (E - t))
/// can start, and one fits from round max min(E - R, E - s) on. What is left of R when the cohort
/// ends is M minus what was held.
///
/// A step starts, in each lane, the requests of one working length at one time. Numbers are whole
/// and exact in T (end_lanes). Cost of a step in all lanes together: two passes over the cohorts of
/// as many steps as one is active.
template <class T, bool hidden>
class EndLaneEngine
{
  public:
    static constexpr int lanes = lane_bytes / sizeof(T);

    explicit EndLaneEngine(WorkloadView const& w)
        : classes_(static_cast<std::int64_t>(w.output_value.size())), value_(w.output_value.data()),
          prompt_(static_cast<T>(w.prompt_constant)), memory_(static_cast<T>(w.memory)),
          lower_(w.interval.lower), upper_(w.interval.upper),
          slots_(2 * end_lane_steps(w, hidden ? w.interval.upper
                                              : w.output_value[w.output_value.size() - 1])),
          cohort_(new Cohort[static_cast<std::size_t>(slots_)])
    {
    }

    /// counts[c k + j]: requests of the j-th of c lengths in instance first + k, kept until run().
    /// Contract: 1 <= instances <= lanes.
    void open(WorkloadView const& w, std::int64_t first, int instances, std::int64_t const* counts);
    void run()
    {
        while (running_ != 0) step();
    }
    Outcome outcome(int lane) const;

  private:
    using Lanes = LaneNumbers<T>;
    using Number = typename Lanes::Number;
    using Signed = typename Lanes::Signed;
    using Mask = typename Lanes::Mask;
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

    static constexpr T never = Lanes::never;

    /// The requests of each lane that started in one step.
    struct Cohort
    {
        Number end;     ///< s plus the working end; 0: nobody
        Number room;    ///< memory left at the working end
        Number count;   ///< requests
        Number untried; ///< of a-ell: `count` if they run for the first time, else 0
    };
    /// What the pass over all cohorts finds.
    struct Found
    {
        Number room, size;     ///< the least quotient: room, and what a request would take of it
        Number ended, untried; ///< requests at their end
        Number soonest;        ///< s plus the next end; never: none
    };

    CRX_IN_LANES void step()
    {
        auto const t = t_;
        auto found = settle(t);
        if (Lanes::bits(Lanes::less(Number{}, found.ended)) != 0) complete(t, found);
        auto const m = Lanes::smaller(Lanes::floor(Number(found.room / found.size)), waiting_);
        auto const some = Lanes::less(Number{}, m);
        waiting_ -= m;
        auto const bound = start(t, m, some);
        auto const end =
            Lanes::smaller(found.soonest, Lanes::pick(some, t + reach_, Number{} + never)) -
            prompt_;
        auto const blocked = Lanes::less(Number{}, waiting_);
        auto const soonest = Lanes::pick(blocked, Lanes::smaller(bound, end), end);
        // Lanes that turn to the next working length stay at this time.
        unsigned turned = more_ & ~Lanes::bits(blocked);
        if (turned != 0) turned = turn_to_next(turned);
        auto const goes_on = Lanes::bits(Lanes::less(soonest, Number{} + never / 2)) & ~turned;
        auto const on = Lanes::of_bits(goes_on);
        t_ = Lanes::pick(on, soonest, t);
        events_ += Lanes::pick(on, Number{} + 1, Number{});
        running_ &= goes_on | turned;
    }

    /// Takes out who ends at time t, and looks how many more there is memory for.
    CRX_IN_LANES Found settle(Number const& t)
    {
        auto const nobody = Number{} + never, now = t + prompt_;
        auto least = nobody; // held in a register
        Found found{Number{} + memory_, reach_, Number{}, Number{}, nobody};
        unsigned any = 0;
        for (auto i = high_; i-- > low_;) {
            auto& c = cohort_[i];
            auto const due = Lanes::equal(c.end, now);
            found.ended += Lanes::pick(due, c.count, Number{});
            if constexpr (hidden) found.untried += Lanes::pick(due, c.untried, Number{});
            least = Lanes::smaller(least, Lanes::pick(due, c.room, nobody));
            c.room = Lanes::pick(due, nobody, c.room);
            auto const end = c.end = Lanes::pick(due, Number{}, c.end);
            auto const active = Lanes::less(now, end);
            any = Lanes::bits(active);
            found.soonest = Lanes::smaller(found.soonest, Lanes::pick(active, end, nobody));
            // Nobody limits nothing: no room is above `never`.
            auto const size = end - t;
            auto const less = Lanes::less(c.room * found.size, found.room * size);
            found.room = Lanes::pick(less, c.room, found.room);
            found.size = Lanes::pick(less, size, found.size);
        }
        least_room_ = Lanes::smaller(least_room_, least);
        if (any == 0 && low_ < high_) ++low_; // the oldest are gone in all lanes
        return found;
    }

    /// m requests start at time t; the first round from which another will fit.
    CRX_IN_LANES Number start(Number const& t, Number const& m, Mask const& some)
    {
        auto const prompt = Number{} + prompt_;
        auto const end = t + reach_, left = memory_ - m * reach_;
        auto bound = Lanes::pick(some, end - Lanes::larger(left, prompt), Number{});
        bound = Lanes::larger(bound, t + 1);
        for (auto i = low_; i < high_; ++i) {
            auto& c = cohort_[i];
            c.room -= m * (c.end - t);
            bound = Lanes::larger(bound, c.end - Lanes::larger(c.room, prompt));
        }
        if (Lanes::bits(some) != 0) {
            if (high_ == slots_) move_to_front();
            auto& c = cohort_[high_++];
            c.end = Lanes::pick(some, end, Number{});
            c.room = Lanes::pick(some, left, Number{} + never);
            c.count = m;
            if constexpr (hidden)
                c.untried = Lanes::pick(Lanes::equal(reach_, Number{} + first_reach_), m, Number{});
        }
        return bound;
    }

    CRX_IN_LANES void complete(Number const& t, Found const& found)
    {
        alignas(lane_bytes) Integer ended[lanes], untried[lanes], now[lanes];
        write(ended, found.ended);
        write(now, t);
        auto done = found.ended;
        if constexpr (hidden) {
            write(untried, found.untried);
            if (Lanes::bits(Lanes::less(Number{}, found.untried)) != 0) {
                draw(untried); // leaves who is cancelled
                Signed cancelled;
                std::memcpy(&cancelled, untried, sizeof cancelled);
                auto const c = __builtin_convertvector(cancelled, Number);
                auto const first = Lanes::equal(reach_, Number{} + first_reach_);
                promoted_ += Lanes::pick(first, c, Number{});
                waiting_ += Lanes::pick(first, Number{}, c);
                done -= c;
                write(ended, done);
            }
        }
        for (int j = 0; j < lanes; ++j) latency_[j] += std::int64_t{ended[j]} * now[j];
        makespan_ = Lanes::pick(Lanes::less(Number{}, done), t, makespan_);
    }
    CRX_IN_LANES static void write(Integer* to, Number const& x)
    {
        auto const whole = __builtin_convertvector(x, Signed);
        std::memcpy(to, &whole, sizeof whole);
    }

    /// Of the requests that ran for the first time, who is cancelled.
    void draw(Integer* count)
    {
        HypergeometricDraw draw[lanes];
        int lane[lanes], draws = 0;
        for (int j = 0; j < lanes; ++j) {
            if (count[j] == 0) continue;
            auto& line = line_[j];
            if (line.is_one_draw(count[j])) {
                lane[draws] = j;
                draw[draws++] = {line.beyond(), line.beyond_marked(), count[j], 0, &words_[j]};
                continue;
            }
            count[j] -= static_cast<Integer>(line.take(count[j], words_[j]));
            cancelled_[j] += count[j];
        }
        HypergeometricLanes::execute(draw, draws);
        for (int k = 0; k < draws; ++k) {
            auto const j = lane[k];
            line_[j].drawn(count[j], draw[k].found);
            count[j] -= static_cast<Integer>(draw[k].found);
            cancelled_[j] += count[j];
        }
    }

    /// Lanes in which nobody waits any more turn to the next working length; those that do.
    unsigned turn_to_next(unsigned idle)
    {
        for (auto rest = idle; rest != 0; rest &= rest - 1) {
            auto const j = __builtin_ctz(rest);
            if constexpr (hidden) {
                reach_[j] = prompt_ + static_cast<T>(upper_);
                waiting_[j] = promoted_[j];
                more_ &= ~(1u << j);
            } else if (!take_class(j)) {
                idle &= ~(1u << j);
            }
        }
        return idle;
    }
    /// The next class that has requests; false if there is none.
    bool take_class(int j)
    {
        auto& k = next_class_[j];
        while (k < classes_ && counts_[classes_ * j + k] == 0) ++k;
        if (k == classes_) {
            more_ &= ~(1u << j);
            return false;
        }
        reach_[j] = prompt_ + static_cast<T>(value_[k]);
        waiting_[j] = static_cast<T>(counts_[classes_ * j + k++]);
        return true;
    }

    void move_to_front()
    {
        for (auto i = low_; i < high_; ++i) cohort_[i - low_] = cohort_[i];
        high_ -= low_;
        low_ = 0;
        CRX_ENSURE(high_ < slots_);
    }

    std::int64_t classes_;
    std::int32_t const* value_;
    T prompt_, memory_;
    std::int32_t lower_, upper_;
    T first_reach_ = 0; ///< s + l
    std::int64_t slots_;
    std::unique_ptr<Cohort[]> cohort_;
    std::int64_t low_ = 0, high_ = 0; ///< no lane has anybody outside of these
    Number t_, reach_;                ///< reach: s plus the working length that is served
    Number waiting_;                  ///< with that length
    Number least_room_, makespan_, events_;
    unsigned running_ = 0, more_ = 0; ///< lanes; those with another working length to come
    std::int64_t latency_[lanes];
    std::int64_t const* counts_ = nullptr;
    std::int64_t next_class_[lanes];
    // Of a-ell:
    Number promoted_; ///< cancelled while others wait to run for the first time
    std::int64_t cancelled_[lanes];
    CountedLine line_[lanes];
    BufferedWords words_[lanes];
};

template <class T, bool hidden>
void EndLaneEngine<T, hidden>::open(WorkloadView const& w, std::int64_t first, int instances,
                                    std::int64_t const* counts)
{
    counts_ = counts;
    low_ = high_ = 0;
    t_ = waiting_ = makespan_ = events_ = promoted_ = Number{};
    first_reach_ = prompt_ + static_cast<T>(lower_);
    reach_ = Number{} + first_reach_;
    least_room_ = Number{} + memory_;
    running_ = more_ = (1u << instances) - 1;
    for (int j = 0; j < lanes; ++j) latency_[j] = cancelled_[j] = next_class_[j] = 0;
    for (int j = 0; j < instances; ++j) {
        events_[j] = 1;
        if constexpr (hidden) {
            waiting_[j] = static_cast<T>(w.requests);
            auto const* const own = counts + classes_ * j;
            line_[j].open(w.requests, value_[0] == lower_ ? own[0] : 0);
            words_[j] =
                BufferedWords(w.seed, stream_policy + static_cast<std::uint32_t>(PolicyKind::a_ell),
                              static_cast<std::uint64_t>(first + j));
        } else {
            take_class(j);
        }
    }
}

template <class T, bool hidden>
Outcome EndLaneEngine<T, hidden>::outcome(int lane) const
{
    Outcome o;
    o.total_latency = latency_[lane];
    o.makespan = static_cast<std::int64_t>(makespan_[lane]);
    o.peak_memory = static_cast<std::int64_t>(memory_ - least_room_[lane]);
    o.events = static_cast<std::int64_t>(events_[lane]);
    o.cancellations = cancelled_[lane];
    o.wasted_tokens = cancelled_[lane] * lower_;
    return o;
}

} // namespace
} // namespace crx
