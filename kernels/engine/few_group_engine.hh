#pragma once

#include "kernels/engine/few_group.hh"
#include "kernels/engine/few_limits.cuh"
#include "kernels/engine/waiting_lanes.hh"

#include <algorithm>

// CPU only, with the vectors of lane_vectors.cuh.
namespace crx {
namespace {

/// A run of execute_few_group for as many instances as there are lanes.
class FewGroup
{
  public:
    FewGroup(Requests const* requests, int count, std::uint64_t seed, std::uint32_t stream,
             std::uint64_t first, ScheduleLog const& ask, ScheduleLog const* logs, Arena& arena,
             std::optional<Outcome>* outcomes)
        : ask_(ask), logs_(logs), outcomes_(outcomes), waiting_(seed, stream, first)
    {
        time_ = memory_ = peak_ = Row{};
        std::ranges::fill(events_.of, 1); // round 0
        for (int k = 0; k < count; ++k) {
            outcomes[k].reset();
            auto const& r = requests[k];
            if (r.n == 0) outcomes[k] = Outcome{};
            if (r.n == 0 || !takes(r)) continue;
            running_ |= 1u << k;
            memory_.of[k] = static_cast<std::int32_t>(r.memory);
            waiting_.fill(k, r, arena);
            if (logs != nullptr && logs[k].cancellations != nullptr)
                std::fill_n(logs[k].cancellations, r.n, 0);
        }
    }

    /// Whether it was not given up.
    bool execute()
    {
        for (std::int64_t step = 1; running_ != 0; ++step) {
            advance();
            if (step % 32 == 0) active_.shrink();
            if (ask_.abandons(step)) return false;
        }
        return true;
    }

  private:
    static constexpr int lanes = Lanes::count;
    static constexpr std::int32_t never = SlotLanes::never;

    static bool takes(Requests const& r)
    {
        return r.n <= few_active_requests && r.memory <= few_active_memory && !r.clock.affine() &&
               all_at_0(r) && fits_lanes(r);
    }

    /// One step of every lane that runs: a start; or a failed draw, after which it is the next
    /// round; or nobody fits, and then the next event's round. Before any of that all go who
    /// complete or are cancelled in the round, one a step.
    void advance()
    {
        auto const memory = memory_.load(), least = waiting_.least_prompt(), one = Lanes::all(1);
        auto time = time_.load();
        auto const candidates = waiting_.candidates();
        auto const seen = active_.look(time, waiting_.length());
        auto const stop = SlotLanes::round_of(seen.stop);
        auto base = seen.base, count = seen.count;
        auto const next_held = held(base, count, time + one);
        auto const leaves = at_most(stop, time) | more(next_held, memory);
        auto const admits = without(LaneSet::of(running_), leaves);
        auto const room_next = memory - one - next_held, room_later = memory - seen.held;
        auto const by_next = at_most(admits, least, room_next);
        auto const draws = at_most(by_next, least, room_later);
        auto const prompt = waiting_.draw(draws, candidates);
        auto const starts = at_most(draws, prompt, smaller(room_next, room_later));

        // Those who start stay in their round.
        auto const moves = without(admits, starts);
        auto jump = smaller(stop, overflow(base, count, memory));
        if (auto const later = without(by_next, draws); bits_of(later) != 0)
            jump = sooner(later, jump, stop);
        time = choose(without(admits, draws), jump, add_where(moves, time, one));
        time_.store(time);
        peak_.store(larger_where(moves, peak_.load(), held(base, count, time)));
        events_.store(add_where(moves, events_.load(), one));

        active_.prepare(starts, seen, time, prompt, waiting_.length());
        base = add_where(starts, base, prompt - time);
        count = add_where(starts, count, one);

        if (auto const late = at_least(moves, time, Lanes::all(never)); bits_of(late) != 0)
            [[unlikely]]
            for_each_lane(late, [&](int k) { give_up(k); });
        stop_.store(seen.stop);
        auto const running = LaneSet::of(running_);
        auto const completes = at_most(running, stop, time);
        auto const cancels = more(without(without(running, completes), starts),
                                  held(base, count, time + one), memory);
        auto const ends =
            equal(equal(completes, count, one), least, Lanes::all(WaitingLanes::nobody));
        // What the next step reads first is written first.
        waiting_.take_drawn(starts & running, [&](int k) { start(k); });
        for_each_lane(cancels, [&](int k) { cancel(k); });
        for_each_lane(completes, [&](int k) { complete(k); });
        for (; lost_ != 0; lost_ &= lost_ - 1) [[unlikely]] give_up(lowest_bit(lost_));
        if (bits_of(ends) != 0) [[unlikely]]
            for_each_lane(ends, [&](int k) { finish(k); });
    }

    /// Tokens held at time t.
    static Lanes held(Lanes base, Lanes count, Lanes t) { return base + t * count; }
    /// First round in which memory overflows if all who run stay: the least t with
    /// base + (t + 1) count > M.
    static Lanes overflow(Lanes base, Lanes count, Lanes memory)
    {
        return choose(not_zero(count), quotients(memory - base, count), Lanes::all(never));
    }
    /// `jump`, or where it is before that the round in which the least prompt fits though nothing
    /// happens: it may, as a later start has grown less at every end.
    [[gnu::noinline]] Lanes sooner(LaneSet set, Lanes jump, Lanes stop) const
    {
        Row rounds, stops;
        rounds.store(jump);
        stops.store(stop);
        for_each_lane(set, [&](int k) {
            auto const s = waiting_.least_prompt(k), memory = memory_.of[k];
            auto const fits_next = [&](std::int32_t t) {
                return active_.held(k, t + 1) + s + 1 <= memory;
            };
            auto const t = time_.of[k] + 1;
            if (!fits_next(t)) return; // nor in any later round
            auto const fit = active_.first_fit(k, t, s, waiting_.length(k), memory, stops.of[k]);
            if (fit < stops.of[k] && fits_next(fit)) rounds.of[k] = std::min(rounds.of[k], fit);
        });
        return rounds.load();
    }

    void start(int k)
    {
        auto const member = waiting_.drawn(k);
        auto const id = WaitingMember::id_of(member);
        auto const stop = time_.of[k] + waiting_.output(k, id);
        if (active_.full(k) || stop >= never) [[unlikely]] {
            lost_ |= 1u << k;
            return;
        }
        active_.add(k, member, waiting_.length(k), stop);
        if (logs_ != nullptr && logs_[k].start != nullptr) [[unlikely]]
            logs_[k].start[id] = time_.of[k];
    }
    void complete(int k)
    {
        auto const t = time_.of[k];
        auto const run = active_.remove(k, SlotLanes::slot_of(stop_.of[k]));
        total_latency_[k] += t;
        first_token_latency_[k] += run.start + 1;
        if (logs_ != nullptr && logs_[k].completion != nullptr) [[unlikely]]
            logs_[k].completion[run.id] = t;
    }
    void cancel(int k)
    {
        auto const all = active_.of_least_length(k);
        auto const r = waiting_.bounded(k, static_cast<std::uint64_t>(count_bits(all)));
        auto const run = active_.remove(k, active_.member(k, all, static_cast<int>(r)));
        auto const generated = time_.of[k] - run.start;
        waiting_.push(k, run.id, run.prompt, std::max(run.length, generated));
        ++cancellations_[k];
        wasted_tokens_[k] += generated;
        if (logs_ != nullptr && logs_[k].cancellations != nullptr) [[unlikely]]
            ++logs_[k].cancellations[run.id];
    }

    void finish(int k)
    {
        Outcome outcome;
        outcome.total_latency = total_latency_[k];
        outcome.first_token_latency = first_token_latency_[k];
        outcome.cancellations = cancellations_[k];
        outcome.wasted_tokens = wasted_tokens_[k];
        outcome.makespan = time_.of[k];
        outcome.peak_memory = peak_.of[k];
        outcome.events = events_.of[k];
        outcomes_[k] = outcome;
        running_ &= ~(1u << k);
    }
    [[gnu::noinline, gnu::cold]] void give_up(int k)
    {
        active_.clear(k);
        waiting_.clear(k);
        running_ &= ~(1u << k);
    }

    using Row = SlotLanes::Row;

    ScheduleLog const& ask_;
    ScheduleLog const* logs_;
    std::optional<Outcome>* outcomes_;
    unsigned running_ = 0; ///< lanes, a bit each
    unsigned lost_ = 0;    ///< lanes that cannot go on
    Row time_, memory_, peak_, events_;
    Row stop_; ///< the next completions, as seen in this step
    SlotLanes active_;
    WaitingLanes waiting_;
    // Of each kind side by side: whole outcomes would be in more lines of the cache.
    std::int64_t total_latency_[lanes] = {}, first_token_latency_[lanes] = {};
    std::int64_t cancellations_[lanes] = {}, wasted_tokens_[lanes] = {};
};

/// execute_few_group, as many instances at a time as there are lanes.
inline void execute_in_lanes(Requests const* requests, int count, std::uint64_t seed,
                             std::uint32_t stream, std::uint64_t first, ScheduleLog const& ask,
                             ScheduleLog const* logs, Arena& arena,
                             std::optional<Outcome>* outcomes)
{
    for (int done = 0; done < count; done += Lanes::count) {
        FewGroup group(requests + done, std::min(count - done, Lanes::count), seed, stream,
                       first + static_cast<std::uint64_t>(done), ask,
                       logs == nullptr ? nullptr : logs + done, arena, outcomes + done);
        if (!group.execute()) return;
    }
}

} // namespace
} // namespace crx
