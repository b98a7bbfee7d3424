#pragma once

#include "kernels/base/lane_numbers.hh"
#include "kernels/cohort/counted_line.hh"
#include "kernels/laws/workload.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/policies/policy_kind.cuh"
#include "kernels/random/hypergeometric_lanes.hh"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

// CPU only, as lane_numbers.hh.

namespace crx {
namespace {

/// The round model for a-max, an instance in each lane: HiddenLengthsEngine for its one working
/// length, u.
///
/// Cohorts start one after the other and end in that order, so a new one ends last, and who is
/// asked whether they are of a class is the next cohort for each class. Of each cohort is kept the
/// memory left at its working end, where those that end before hold nothing. With
/// E = s + its working end and R that room, a request that starts in round t takes E - t of R; so
/// min floor(R / (E - t)) can start, and one fits from round max min(E - R, E - s) on.
///
/// Numbers are whole and exact in T (upper_lanes). Cost of a round in which something
/// happens, in all lanes of a register together: two passes over its places, of which each holds a
/// cohort of every lane that started one in the same step.
template <class T>
class UpperLaneEngine
{
  public:
    static constexpr int lanes = lane_bytes / sizeof(T);
    static constexpr int registers = 2; ///< that run in turns
    static constexpr int most_classes = 8;

    explicit UpperLaneEngine(WorkloadView const& w)
        : classes_(static_cast<int>(w.output_value.size())),
          prompt_(static_cast<T>(w.prompt_constant)), memory_(static_cast<T>(w.memory)),
          reach_(static_cast<T>(w.prompt_constant + w.interval.upper)),
          cohort_(most_after(static_cast<std::size_t>(
                      std::min(w.requests, std::int64_t{w.interval.upper} + 1))) +
                  between_moves)
    {
    }

    /// counts[c k + j]: requests of the j-th of c lengths in instance first + k.
    /// Contract: 0 <= instances <= lanes.
    void open(WorkloadView const& w, std::int64_t first, int instances, std::int64_t const* counts);

    /// Runs registers of lanes in turns: one has something to do while another waits for a result.
    /// Contract: `most` is the number of classes at least.
    template <int most>
    CRX_IN_LANES static void run(UpperLaneEngine* engines)
    {
        Asked<most> asked[registers];
        for (auto& one : asked)
#pragma GCC unroll 8
            for (int k = 0; k < most; ++k) {
                one.last[k] = one.count[k] = Number{};
                one.next[k] = Number{} + never;
            }
        for (bool any = true; any;) {
            any = false;
#pragma GCC unroll 1
            for (int r = 0; r < registers; ++r)
                if (engines[r].any_runs()) engines[r].stop(asked[r]);
#pragma GCC unroll 1
            for (int r = 0; r < registers; ++r)
                if (engines[r].any_runs()) engines[r].settle(asked[r]);
#pragma GCC unroll 1
            for (int r = 0; r < registers; ++r)
                if (engines[r].any_runs()) {
                    engines[r].admit(asked[r]);
                    any = true;
                }
        }
    }

    /// counts[k]: requests of the k-th length in this lane.
    Outcome outcome(WorkloadView const& w, int lane, std::int64_t const* counts) const
    {
        Outcome o;
        o.total_latency = waited_[lane];
        for (int k = 0; k < classes_; ++k)
            o.total_latency += counts[k] * w.output_value[static_cast<std::size_t>(k)];
        o.makespan = static_cast<std::int64_t>(t_[lane]);
        o.peak_memory = static_cast<std::int64_t>(peak_[lane]);
        o.events = static_cast<std::int64_t>(events_[lane]);
        return o;
    }

  private:
    using Lanes = LaneNumbers<T>;
    using Number = typename Lanes::Number;
    using Signed = typename Lanes::Signed;
    using Mask = typename Lanes::Mask;
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

    static constexpr T never = Lanes::never;
    static constexpr std::size_t between_moves = 64; ///< steps at least

    /// The requests of each lane that started in one round.
    struct Cohort
    {
        Number end;  ///< s plus the working end; 0: nobody
        Number room; ///< memory left at the working end
        Number count;
    };
    /// What is next for each class. Locals of run(), so that they can be in registers.
    template <int most>
    struct Asked
    {
        Number last[most];                 ///< `end` of the cohort that was asked last
        Number next[most];                 ///< that of the next
        Number count[most];                ///< and its size
        Number found[most], started[most]; ///< who completed now, and when they started
        Number quotient;                   ///< of the least room, for its time to an end
    };
    struct Class
    {
        Number lag;   ///< value - (s + u): age of the cohorts asked, counted from `end`
        bool certain; ///< in no lane anything is random: who is left is of this class
        Number place, size, passed; ///< in the open block of the line, and its marks before
        CountedLine line[lanes];
    };

    /// Places until which it does not pay to pack so many again.
    static std::size_t most_after(std::size_t packed)
    {
        return packed + std::max<std::size_t>(packed / 4, 16);
    }

    CRX_IN_LANES bool any_runs() const { return Lanes::bits(running_) != 0; }

    /// Completions at time t_.
    template <int most>
    CRX_IN_LANES void stop(Asked<most>& asked)
    {
        peak_ = Lanes::larger(peak_, held_);
        events_ = Lanes::add_where(running_, events_, Number{} + 1);
        // The oldest cohorts first: those that are asked for the longest class.
#pragma GCC unroll 8
        for (int k = most - 1; k >= 0; --k) {
            auto const due = Lanes::equal(asked.next[k] + class_[k].lag, t_);
            asked.last[k] = Lanes::pick(due, asked.next[k], asked.last[k]);
            asked.started[k] = asked.last[k] - reach_;
            auto const count = Lanes::where(due, asked.count[k]);
            asked.found[k] = class_[k].certain ? count : take(class_[k], count);
            active_ -= asked.found[k];
            held_ -= asked.found[k] * (t_ - asked.started[k] + prompt_);
        }
    }

    /// How many of the next m requests in line are of the class.
    CRX_IN_LANES Number take(Class& c, Number const& m)
    {
        c.place += m;
        auto const past = Lanes::bits(Lanes::less(c.size, c.place));
        if (past != 0) [[unlikely]]
            take_past(c, m, past);
        alignas(lane_bytes) std::make_unsigned_t<Integer> place[lanes];
        alignas(lane_bytes) Integer before[lanes];
        auto const at = Lanes::to_signed(c.place);
        std::memcpy(place, &at, sizeof at);
        for (int j = 0; j < lanes; ++j)
            before[j] = static_cast<Integer>(c.line[j].marks_before(place[j]));
        Signed marks;
        std::memcpy(&marks, before, sizeof marks);
        auto const passed = Lanes::to_number(marks);
        auto const found = passed - c.passed;
        c.passed = passed;
        return found;
    }

    /// The same in lanes where more are asked about than are left in the open block; first draws
    /// from behind it are made together.
    void take_past(Class& c, Number const& m, unsigned past)
    {
        HypergeometricDraw draw[lanes];
        int lane[lanes], draws = 0;
        for (; past != 0; past &= past - 1) {
            auto const j = __builtin_ctz(past);
            auto const asked = static_cast<std::int64_t>(m[j]);
            auto& line = c.line[j];
            line.go_to(static_cast<std::int64_t>(c.place[j] - m[j]));
            auto const opens = line.opens_block(asked);
            if (opens || line.is_one_draw(asked)) {
                lane[draws] = j;
                draw[draws++] = {line.beyond(), line.beyond_marked(),
                                 opens ? line.next_size() : asked, 0, &words_[j]};
            } else {
                look_again(c, j, line.take(asked, words_[j]));
            }
        }
        HypergeometricLanes::execute(draw, draws);
        for (int k = 0; k < draws; ++k) {
            auto const j = lane[k];
            auto const asked = static_cast<std::int64_t>(m[j]);
            auto& line = c.line[j];
            auto found = draw[k].found;
            if (line.opens_block(asked))
                found = line.take_opening(asked, found, words_[j]);
            else
                line.drawn(asked, found);
            look_again(c, j, found);
        }
    }
    /// `found` have just been found, by the line itself.
    void look_again(Class& c, int lane, std::int64_t found)
    {
        auto const& line = c.line[lane];
        c.place[lane] = static_cast<T>(line.place());
        c.size[lane] = static_cast<T>(line.size());
        c.passed[lane] =
            static_cast<T>(line.marks_before(static_cast<std::uint64_t>(line.place())) - found);
    }

    template <int most>
    CRX_IN_LANES void admit(Asked<most>& asked)
    {
        auto const t = t_;
        auto const m = Lanes::smaller(Lanes::floor(asked.quotient), waiting_);
        auto const some = Lanes::less(Number{}, m);
        waiting_ -= m;
        active_ += m;
        held_ += m * prompt_;
        wait(m);

        auto const nobody = Number{} + never, prompt = Number{} + prompt_;
        auto const end = t + reach_, left = memory_ - m * reach_;
        auto bound = Lanes::where(some, end - Lanes::larger(left, prompt));
        bound = Lanes::larger(bound, t + 1);
        for (auto i = low_; i < high_; ++i) {
            auto& c = cohort_[i];
            c.room -= m * (c.end - t);
            bound = Lanes::larger(bound, c.end - Lanes::larger(c.room, prompt));
        }
        insert(some, {Lanes::where(some, end), Lanes::pick(some, left, nobody), m});

        auto soonest = nobody;
#pragma GCC unroll 8
        for (int k = 0; k < most; ++k) {
            Mask const first = Lanes::equal(asked.next[k], nobody) & some;
            asked.next[k] = Lanes::pick(first, end, asked.next[k]);
            asked.count[k] = Lanes::pick(first, m, asked.count[k]);
            soonest = Lanes::smaller(soonest, asked.next[k] + class_[k].lag);
        }
        soonest =
            Lanes::pick(Lanes::less(Number{}, waiting_), Lanes::smaller(soonest, bound), soonest);
        running_ = running_ & Lanes::less(soonest, nobody);
        t_ = Lanes::pick(running_, soonest, t);
        held_ += active_ * (t_ - t);
    }

    /// Adds the rounds that those who start now have waited: in all more than T holds.
    CRX_IN_LANES void wait(Number const& m)
    {
        alignas(lane_bytes) Integer many[lanes], now[lanes];
        auto const starting = Lanes::to_signed(m), time = Lanes::to_signed(t_);
        std::memcpy(many, &starting, sizeof starting);
        std::memcpy(now, &time, sizeof time);
        for (int j = 0; j < lanes; ++j) waited_[j] += std::int64_t{many[j]} * now[j];
    }

    /// Takes out who completed, leaves the least quotient room / size, and for each class who is
    /// asked next. An empty place limits nothing: at the next end as many are active.
    template <int most>
    CRX_IN_LANES void settle(Asked<most>& asked)
    {
        auto const t = t_, nobody = Number{} + never;
        auto room = Number{} + memory_, size = Number{} + reach_;
        Number next[most], count[most], last[most], found[most], started[most];
#pragma GCC unroll 8
        for (int k = 0; k < most; ++k) {
            next[k] = nobody;
            count[k] = Number{};
            last[k] = asked.last[k];
            found[k] = asked.found[k];
            started[k] = asked.started[k];
        }
        constexpr int longest = most - 1; // who was asked about it is gone
        for (auto i = high_; i-- > low_;) {
            auto c = cohort_[i];
            Mask was[longest];
#pragma GCC unroll 8
            for (int k = 0; k < longest; ++k) {
                was[k] = Lanes::at_most(c.end, last[k]);
                c.room = Lanes::add_where(was[k], c.room, found[k] * (c.end - started[k]));
                c.count = Lanes::add_where(Lanes::equal(c.end, last[k]), c.count, -found[k]);
            }
            // Who was not yet asked about the shortest class is still there.
            next[0] = Lanes::pick(was[0], next[0], c.end);
            count[0] = Lanes::pick(was[0], count[0], c.count);
            Mask const here = Lanes::less(Number{}, c.count) & Lanes::less(last[longest], c.end);
            c.end = Lanes::where(here, c.end);
            c.room = Lanes::pick(here, c.room, nobody);
            cohort_[i] = c;
#pragma GCC unroll 8
            for (int k = 1; k < most; ++k) {
                Mask const later = k == longest ? here : Lanes::less(last[k], c.end);
                next[k] = Lanes::pick(later, c.end, next[k]);
                count[k] = Lanes::pick(later, c.count, count[k]);
            }
            auto const size_here = c.end - t;
            auto const less = Lanes::less(c.room * size, room * size_here);
            room = Lanes::pick(less, c.room, room);
            size = Lanes::pick(less, size_here, size);
        }
#pragma GCC unroll 8
        for (int k = 0; k < most; ++k) {
            asked.next[k] = next[k];
            asked.count[k] = count[k];
        }
        asked.quotient = room / size;
        while (low_ < high_ && Lanes::bits(Lanes::less(Number{}, cohort_[low_].end)) == 0) ++low_;
    }

    /// A place for all lanes: those who start nobody leave theirs empty.
    CRX_IN_LANES void insert(Mask some, Cohort const& cohort)
    {
        if (Lanes::bits(some) == 0) return;
        if (high_ - low_ >= most_places_)
            pack();
        else if (high_ == cohort_.size())
            move_to_front();
        cohort_[high_++] = cohort;
    }

    void move_to_front();
    /// The same lane by lane, so that no place is left empty in between: some lanes start cohorts
    /// less often than others.
    void pack();

    int classes_;
    T prompt_, memory_;
    T reach_; ///< s + u
    std::vector<Cohort> cohort_;
    Number t_{}, waiting_{}, active_{}, events_{};
    Number held_{}, peak_{};          ///< memory at time t_ and most so far
    std::int64_t waited_[lanes] = {}; ///< sum of the rounds in which requests started
    std::size_t low_ = 0, high_ = 0;  ///< no lane has anybody outside of these places
    std::size_t most_places_ = 0;     ///< between them, until they are packed
    Mask running_{};
    Class class_[most_classes];
    BufferedWords words_[lanes];
};

template <class T>
void UpperLaneEngine<T>::open(WorkloadView const& w, std::int64_t first, int instances,
                              std::int64_t const* counts)
{
    t_ = waiting_ = active_ = events_ = held_ = peak_ = Number{};
    std::memset(waited_, 0, sizeof waited_);
    low_ = high_ = 0;
    most_places_ = most_after(0);
    running_ = Lanes::of_bits((1u << instances) - 1);
    for (auto& c : class_) {
        c.lag = Number{} + never;
        c.certain = true;
        c.place = c.size = c.passed = Number{};
    }
    for (int j = 0; j < instances; ++j) {
        waiting_[j] = static_cast<T>(w.requests);
        words_[j] =
            BufferedWords(w.seed, stream_policy + static_cast<std::uint32_t>(PolicyKind::a_max),
                          static_cast<std::uint64_t>(first + j));
        auto longer = w.requests;
        for (int k = 0; k < classes_; ++k) {
            auto const marked = counts[classes_ * j + k];
            class_[k].line[j].open(longer, marked);
            class_[k].certain &= marked == longer;
            longer -= marked;
            if (marked > 0)
                class_[k].lag[j] =
                    static_cast<T>(w.output_value[static_cast<std::size_t>(k)]) - reach_;
        }
    }
    for (int j = instances; j < lanes; ++j)
        for (int k = 0; k < classes_; ++k) class_[k].line[j].open(0, 0);
}

template <class T>
void UpperLaneEngine<T>::move_to_front()
{
    std::copy(cohort_.data() + low_, cohort_.data() + high_, cohort_.data());
    high_ -= low_;
    low_ = 0;
}

template <class T>
void UpperLaneEngine<T>::pack()
{
    std::size_t kept[lanes] = {}, most = 0;
    for (int j = 0; j < lanes; ++j) {
        for (auto i = low_; i < high_; ++i) {
            auto const& from = cohort_[i];
            if (from.end[j] == 0) continue;
            auto& to = cohort_[kept[j]++];
            to.end[j] = from.end[j];
            to.room[j] = from.room[j];
            to.count[j] = from.count[j];
        }
        most = std::max(most, kept[j]);
    }
    for (int j = 0; j < lanes; ++j)
        for (auto i = kept[j]; i < most; ++i) {
            cohort_[i].end[j] = cohort_[i].count[j] = 0;
            cohort_[i].room[j] = never;
        }
    low_ = 0;
    high_ = most;
    most_places_ = most_after(most);
}

} // namespace
} // namespace crx
