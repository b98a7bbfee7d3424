#include "kernels/engines/requests/decided.hh"

#include "kernels/base/integers.cuh"

#include <algorithm>
#include <numeric>
#include <queue>

namespace crx {
namespace {

/// Rounds without a completion that end a run, in multiples of M: a request alone takes at most M.
constexpr Rounds idle_cap = 10;
constexpr Rounds never = INT64_MAX;

class DecidedRun
{
  public:
    DecidedRun(Requests const& requests, Decider& decider, ScheduleLog const& log)
        : r_(requests), decider_(decider), log_(log), run_(static_cast<std::size_t>(requests.n))
    {
        arrivals_.resize(run_.size());
        std::iota(arrivals_.begin(), arrivals_.end(), std::int64_t{0});
        std::ranges::stable_sort(arrivals_, {}, [&](std::int64_t i) { return r_.arrival[i]; });
        for (auto const i : arrivals_) log.clear(i);
    }

    Outcome execute()
    {
        if (r_.n == 0) return outcome_;
        now_ = r_.arrival[arrivals_[0]];
        round_ = r_.clock.affine() ? 0 : now_;
        productive_ = round_;
        for (;;) {
            ++outcome_.events;
            if (active_ == 0 && waiting_ == 0) productive_ = round_; // it was idle
            bool const completes = next_end() <= round_;
            if (round_ - productive_ - (completes ? 1 : 0) > idle_cap * r_.memory)
                outcome_.give_up(Unfinished::round_cap);
            if (outcome_.finished == 0) return outcome_;
            complete();
            arrive();
            if (!arrived_.empty() || !completed_.empty() || held_at(round_ + 1) > r_.memory ||
                wake_ == round_)
                decide();
            if (log_.on_event != nullptr)
                log_.on_event(log_.context, now_, held_before_, active_, waiting_);
            if (done_ == r_.n || log_.should_abort()) return outcome_;
            pass_time();
        }
    }

  private:
    enum class Phase : std::uint8_t
    {
        pending,
        waiting,
        active,
        done
    };
    struct Run
    {
        Phase phase = Phase::pending;
        Rounds start = 0;
        Instant first = 0;
        std::int32_t most = 0, cancelled = 0;
        std::int64_t turn = 0; ///< of its start
    };

    [[noreturn]] void fail(std::string const& why) const
    {
        throw DecisionError("round " + std::to_string(round_) + ": " + why);
    }
    static std::string name(std::int64_t i) { return "request " + std::to_string(i); }
    Run& run(std::int64_t i) { return run_[static_cast<std::size_t>(i)]; }
    Instant first_token_of(Run const& one) const
    {
        return r_.clock.affine() ? one.first : Instant{one.start + 1};
    }
    Tokens held_at(Rounds t) const { return base_ + t * active_; }

    Rounds next_end()
    {
        while (!ends_.empty()) {
            auto const [end, id, turn] = ends_.top();
            if (run(id).phase == Phase::active && run(id).turn == turn) return end;
            ends_.pop();
        }
        return never;
    }

    void complete()
    {
        held_before_ = held_at(round_);
        outcome_.peak_memory = std::max(outcome_.peak_memory, held_before_);
        while (next_end() <= round_) {
            auto const id = ends_.top().id;
            ends_.pop();
            auto& one = run(id);
            base_ -= r_.prompt[id] - one.start;
            --active_;
            one.phase = Phase::done;
            auto const first = first_token_of(one);
            log_.write_run(id, first, r_.output[id], true);
            outcome_.total_latency += now_ - r_.arrival[id];
            outcome_.first_token_latency += first - r_.arrival[id];
            if (outcome_.total_latency >= time_limit) outcome_.give_up(Unfinished::out_of_range);
            outcome_.makespan = now_;
            if (log_.completion != nullptr) log_.completion[id] = now_;
            completed_.push_back(id);
            ++done_;
            productive_ = round_;
        }
    }

    void arrive()
    {
        for (; next_arrival_ < r_.n && r_.arrival[arrivals_[place(next_arrival_)]] <= now_;
             ++next_arrival_) {
            auto const id = arrivals_[place(next_arrival_)];
            run(id).phase = Phase::waiting;
            ++waiting_;
            arrived_.push_back(id);
        }
    }
    static std::size_t place(std::int64_t k) { return static_cast<std::size_t>(k); }

    void decide()
    {
        Situation situation{round_,   now_,       r_.memory, r_.memory - held_at(round_ + 1),
                            arrived_, completed_, {},        {}};
        if (decider_.reads_lists()) make_lists(situation);
        auto const decision = decider_.decide(situation);
        arrived_.clear();
        completed_.clear();
        for (auto const id : decision.cancel) cancel(id);
        if (held_at(round_ + 1) > r_.memory)
            fail("memory overflows by " + std::to_string(held_at(round_ + 1) - r_.memory) +
                 " tokens, and too few requests were cancelled");
        for (auto const id : decision.start) start(id);
        wake_ = decision.wake.value_or(never);
        if (wake_ <= round_)
            fail("it asks to be woken in round " + std::to_string(wake_) + ", which is past");
    }

    void make_lists(Situation& situation)
    {
        std::vector<std::pair<std::int64_t, std::int64_t>> by_turn;
        waiting_list_.clear();
        active_list_.clear();
        for (std::int64_t k = 0; k < next_arrival_; ++k) {
            auto const id = arrivals_[place(k)];
            if (run(id).phase == Phase::waiting)
                waiting_list_.push_back({id, run(id).most, run(id).cancelled});
            if (run(id).phase == Phase::active) by_turn.emplace_back(run(id).turn, id);
        }
        std::ranges::sort(by_turn);
        for (auto const& [turn, id] : by_turn)
            active_list_.push_back(
                {id, static_cast<std::int32_t>(round_ - run(id).start), run(id).cancelled});
        situation.waiting = waiting_list_;
        situation.active = active_list_;
    }

    void cancel(std::int64_t id)
    {
        if (id < 0 || id >= r_.n || run(id).phase != Phase::active)
            fail("it cancels " + name(id) + ", which does not run");
        auto& one = run(id);
        auto const generated = static_cast<std::int32_t>(round_ - one.start);
        base_ -= r_.prompt[id] - one.start;
        --active_;
        ++waiting_;
        one.phase = Phase::waiting;
        one.most = std::max(one.most, generated);
        ++one.cancelled;
        ++outcome_.cancellations;
        outcome_.wasted_tokens += generated;
        if (log_.cancellations != nullptr) ++log_.cancellations[id];
        if (log_.lost != nullptr) log_.lost[id] += generated;
        log_.write_run(id, first_token_of(one), generated, false);
    }

    void start(std::int64_t id)
    {
        if (id < 0 || id >= r_.n || run(id).phase != Phase::waiting)
            fail("it starts " + name(id) + ", which does not wait");
        auto const free = r_.memory - held_at(round_ + 1);
        if (r_.prompt[id] + 1 > free)
            fail("it starts " + name(id) + ", which needs " +
                 std::to_string(std::int64_t{r_.prompt[id]} + 1) + " tokens, and " +
                 std::to_string(free) + " are free");
        auto& one = run(id);
        one.phase = Phase::active;
        one.start = round_;
        one.turn = ++turns_;
        --waiting_;
        ++active_;
        base_ += r_.prompt[id] - round_;
        ends_.push({round_ + r_.output[id], id, one.turn});
        entered_.push_back(id);
        entered_prompts_ += r_.prompt[id];
        log_.write_start(id, now_);
    }

    void pass_time()
    {
        bool const more = next_arrival_ < r_.n;
        auto const arrival = more ? r_.arrival[arrivals_[place(next_arrival_)]] : never;
        auto next = std::min(next_end(), wake_);
        if (active_ > 0) {
            auto const overflow = (r_.memory - base_) / active_;
            if (overflow > round_) next = std::min(next, overflow);
        }
        if (active_ == 0 && (waiting_ == 0 || next == never)) {
            if (!more)
                fail("nothing runs, arrives or is to wake it, and " + std::to_string(waiting_) +
                     " requests wait");
            now_ = arrival;
            round_ = r_.clock.affine() ? round_ + 1 : now_;
            return;
        }
        if (!r_.clock.affine()) {
            next = std::min(next, arrival);
            write_stretch({held_at(round_ + 1), active_, 0}, next - round_, next - round_);
            now_ = round_ = next;
            entered_.clear();
            return;
        }
        Stretch const stretch{held_at(round_ + 1), active_, entered_prompts_};
        auto const& clock = r_.clock;
        if (more) next = round_ + clock.rounds_until(stretch, arrival - now_, next - round_);
        auto const first_end = now_ + clock.elapsed(stretch, 1);
        for (auto const id : entered_) run(id).first = first_end;
        entered_.clear();
        entered_prompts_ = 0;
        auto const time = clock.elapsed(stretch, next - round_);
        write_stretch(stretch, next - round_, time);
        now_ += time;
        round_ = next;
        if (now_ >= time_limit) outcome_.give_up(Unfinished::out_of_range);
    }

    void write_stretch(Stretch const& stretch, Rounds rounds, std::int64_t time) const
    {
        if (log_.on_stretch != nullptr && active_ > 0)
            log_.on_stretch(log_.stretch_context, now_, stretch, rounds, time);
    }

    struct End
    {
        Rounds round;
        std::int64_t id, turn;
        bool operator<(End const& other) const { return round > other.round; } // least on top
    };

    Requests const& r_;
    Decider& decider_;
    ScheduleLog const& log_;
    std::vector<Run> run_;
    std::vector<std::int64_t> arrivals_; ///< by arrival and index
    std::vector<std::int64_t> arrived_, completed_, entered_;
    std::vector<RequestState> waiting_list_, active_list_;
    std::priority_queue<End> ends_; ///< of runs, those that were cancelled among them
    Outcome outcome_;
    Rounds round_ = 0, productive_ = 0, wake_ = never;
    Instant now_ = 0;
    Tokens base_ = 0, held_before_ = 0, entered_prompts_ = 0;
    std::int64_t active_ = 0, waiting_ = 0, next_arrival_ = 0, done_ = 0, turns_ = 0;
};

} // namespace

Outcome execute_decisions(Requests const& requests, Decider& decider, ScheduleLog const& log)
{
    return DecidedRun(requests, decider, log).execute();
}

} // namespace crx
