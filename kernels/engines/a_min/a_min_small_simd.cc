#include "kernels/engines/a_min/a_min_small.hh"
#include "kernels/engines/a_min/waiting_lanes.hh"
#include "kernels/engines/a_min/waiting_queue.cuh"

#include <algorithm>

namespace crx {
namespace {

/// A run of execute_a_min_small for as many instances as V has lanes.
template <class V>
class AMinSmallBatch
{
    using Number = typename V::Number;
    using Mask = typename V::Mask;
    using Slots = SlotLanes<V>;
    using Row = typename Slots::Row;
    using Sum = typename Slots::Sum;

  public:
    static constexpr int lanes = V::count;

    /// Whether the numbers of V are enough, for an instance with requests at 0.
    static bool holds(Requests const& r)
    {
        constexpr auto limit = std::min<std::int64_t>(Slots::output_limit, lanes_output_limit);
        return r.memory + limit <= Slots::memory_limit && fits_lanes(r, limit);
    }

    /// Of the run's instances `begin` and on those in `taken`, a bit each.
    AMinSmallBatch(AMinSmallRun const& run, int begin, unsigned taken)
        : ask_(run.ask), outcomes_(run.outcomes + begin),
          waiting_(run.seed, run.stream, run.first + static_cast<std::uint64_t>(begin), run.arena)
    {
        auto const count = std::min(run.count - begin, lanes);
        time_ = memory_ = peak_ = Row{};
        std::ranges::fill(events_.of, 1); // round 0
        for (int k = 0; k < count; ++k) {
            auto const& r = run.requests[begin + k];
            if ((taken >> k & 1) == 0) continue;
            if (r.n == 0) {
                outcomes_[k] = Outcome{};
                continue;
            }
            running_ |= 1u << k;
            memory_.of[k] = static_cast<Number>(r.memory);
            waiting_.fill(k, r, run.arena);
        }
    }

    /// Whether it was not given up.
    bool execute()
    {
        for (std::int64_t step = 1; running_ != 0; ++step) {
            advance();
            if (step % 32 == 0) active_.shrink();
            if (ask_.should_abort(step)) return false;
        }
        return true;
    }

  private:
    /// One step of every lane that runs: a start; or a failed draw, after which it is the next
    /// round; or no request fits, and then the next event's round. Before any of that all go that
    /// complete or are cancelled in the round, one a step.
    void advance()
    {
        auto const memory = memory_.load(), least = waiting_.least_prompt(), one = V::all(1);
        auto const before = time_.load();
        auto const candidates = waiting_.candidates();
        auto const seen = active_.look(before, waiting_.length());
        auto const base = seen.base, count = seen.count;
        auto const held_now = held(base, count, before), next_held = held_now + count;
        auto const leaves = at_most(seen.stop, V::zero()) | more(next_held, memory);
        auto const running = Mask::of(running_), admits = without(running, leaves);
        auto const room_next = memory - one - next_held, room_later = memory - seen.held;
        auto const by_next = at_most(admits, least, room_next);
        auto const draws = at_most(by_next, least, room_later);
        auto const prompt = waiting_.draw(draws, candidates);
        auto const starts = at_most(draws, prompt, smaller(room_next, room_later));

        // Those that start stay in their round.
        auto const moves = without(admits, starts);
        auto jump = smaller(seen.stop, choose(not_zero(count), quotients(memory - held_now, count),
                                              V::all(Slots::far)));
        if (auto const later = without(by_next, draws); bits_of(later) != 0)
            jump = sooner(later, jump);
        auto const rounds = choose(without(admits, draws), jump, or_zero(moves, one));
        auto const time = before + rounds;
        time_.store(time);
        peak_.store(larger_where(moves, peak_.load(), held(base, count, time)));
        auto const events = add_where(moves, events_.load(), one);
        events_.store(events);
        if (auto const over = equal(moves, events, V::zero()); bits_of(over) != 0) [[unlikely]]
            for_each_lane(bits_of(over), [&](int k) { events_before_[k] += numbers; });
        auto const completes = at_most(running, seen.stop - rounds, V::zero());
        auto const new_base = add_where(starts, base, prompt - time);
        auto const new_count = add_where(starts, count, one);
        auto const cancels = more(without(without(running, completes), starts),
                                  held(new_base, new_count, time) + new_count, memory);
        auto const ends =
            equal(equal(completes, count, one), least, V::all(WaitingLanes<V>::none_waits));
        active_.prepare(starts, completes | cancels, seen, time, prompt, waiting_.length());
        // What the next step reads first is written first.
        waiting_.take_drawn(starts, prompt, [&](int k) { start(k); });
        cancel(bits_of(cancels));
        for_each_lane(bits_of(completes), [&](int k) { complete(k); });
        for (; lost_ != 0; lost_ &= lost_ - 1) [[unlikely]]
            give_up(lowest_bit(lost_));
        if (auto const late = at_least(running, time, V::all(Slots::epoch)); bits_of(late) != 0)
            [[unlikely]]
            for_each_lane(bits_of(late), [&](int k) { move_epoch(k); });
        if (bits_of(ends) != 0) [[unlikely]]
            for_each_lane(bits_of(ends), [&](int k) { finish(k); });
    }

    /// Tokens held at time t.
    static V held(V base, V count, V t) { return base + t * count; }
    /// `jump`, or where it is less the rounds after which the least prompt fits though nothing
    /// happens: it may, as a later start has grown less at every end.
    [[gnu::noinline]] V sooner(Mask mask, V jump) const
    {
        Row rounds;
        rounds.store(jump);
        for_each_lane(bits_of(mask), [&](int k) {
            std::int32_t const s = waiting_.least_prompt(k), memory = memory_.of[k];
            auto const t = time_.of[k];
            // Only while it has room in the next round: what is held grows with each.
            auto const left = memory - 1 - s - active_.held(k, Sum{t} + 1);
            auto const last = left < 0 ? 0 : left / active_.count(k);
            auto const limit = std::min<std::int32_t>(rounds.of[k], last + 1);
            auto const fit = active_.first_fit(k, t, s, waiting_.length(k), memory, limit);
            if (fit < limit) rounds.of[k] = static_cast<Number>(fit);
        });
        return rounds.load();
    }

    void start(int k)
    {
        auto const id = waiting_.drawn(k);
        if (active_.full(k)) [[unlikely]] {
            lost_ |= 1u << k;
            return;
        }
        active_.add(k, id, waiting_.length(k),
                    static_cast<Number>(Sum{time_.of[k]} + waiting_.output(k, id)));
    }
    void complete(int k)
    {
        auto const round = time_.of[k];
        auto const run = active_.remove(k, active_.completing(k, round), round);
        auto const t = now(k);
        total_latency_[k] += t;
        first_token_latency_[k] += t - run.age + 1;
    }
    /// One in each lane. Who it is comes first for all of them, those apart where there is a
    /// choice.
    [[gnu::always_inline]] void cancel(unsigned set)
    {
        unsigned several = 0;
        for_each_lane(set, [&](int k) {
            auto const all = active_.of_least_length(k);
            least_[k] = all;
            cancelled_[k] = lowest_bit(all);
            several |= static_cast<unsigned>((all & (all - 1)) != 0) << k;
        });
        for_each_lane(several, [&](int k) {
            auto const all = least_[k];
            auto const r = waiting_.bounded(k, static_cast<std::uint64_t>(count_bits(all)));
            cancelled_[k] = active_.member(k, all, static_cast<int>(r));
        });
        for_each_lane(set, [&](int k) {
            auto const run = active_.remove(k, cancelled_[k], time_.of[k]);
            ++cancellations_[k];
            wasted_tokens_[k] += run.age;
            waiting_.push(k, run.id, run.prompt, std::max(run.length, run.age));
        });
    }

    void finish(int k)
    {
        Outcome outcome;
        outcome.total_latency = total_latency_[k];
        outcome.first_token_latency = first_token_latency_[k];
        outcome.cancellations = cancellations_[k];
        outcome.wasted_tokens = wasted_tokens_[k];
        outcome.makespan = now(k);
        outcome.peak_memory = peak_.of[k];
        outcome.events = events_before_[k] + static_cast<Unsigned>(events_.of[k]);
        outcomes_[k] = outcome;
        running_ &= ~(1u << k);
    }
    [[gnu::noinline, gnu::cold]] void give_up(int k)
    {
        active_.clear(k, time_.of[k]);
        waiting_.clear(k);
        running_ &= ~(1u << k);
    }

    /// The lane's round, all of it.
    Rounds now(int k) const { return rounds_before_[k] + time_.of[k]; }
    [[gnu::noinline, gnu::cold]] void move_epoch(int k)
    {
        rounds_before_[k] += Slots::epoch;
        time_.of[k] = static_cast<Number>(time_.of[k] - Slots::epoch);
        active_.move_epoch(k);
    }

    using Unsigned = std::make_unsigned_t<Number>;
    static constexpr std::int64_t numbers = std::int64_t{std::numeric_limits<Unsigned>::max()} + 1;

    ScheduleLog const& ask_;
    std::optional<Outcome>* outcomes_;
    unsigned running_ = 0; ///< lanes, a bit each
    unsigned lost_ = 0;    ///< lanes that cannot go on
    Row time_, memory_, peak_, events_;
    Slots active_;
    WaitingLanes<V> waiting_;
    std::uint64_t least_[lanes]; ///< slots of those with the least length, where one is cancelled
    int cancelled_[lanes];
    // Of each kind side by side: whole outcomes would be in more lines of the cache.
    std::int64_t total_latency_[lanes] = {}, first_token_latency_[lanes] = {};
    std::int64_t cancellations_[lanes] = {}, wasted_tokens_[lanes] = {};
    std::int64_t rounds_before_[lanes] = {}; ///< before the epoch
    std::int64_t events_before_[lanes] = {}; ///< a multiple of `numbers`
};

/// As many instances at a time as V has lanes, of those in `taken`, a bit each.
template <class V>
void execute_in_batches(AMinSmallRun const& run, unsigned taken)
{
    for (int done = 0; done < run.count; done += V::count)
        if (!AMinSmallBatch<V>(run, done, taken >> done).execute()) return;
}

} // namespace
} // namespace crx

namespace crx::CRX_SIMD_LEVEL {

/// In lanes of 16 bits, or where an instance needs more, of 32.
[[gnu::flatten]] void run_a_min_small(AMinSmallRun const& run)
{
    static_assert(a_min_small_batch_size <= 32); // bits of `taken`
    using Short = Lanes<std::int16_t>;
    unsigned taken = 0;
    bool are_short = true;
    for (int k = 0; k < run.count; ++k) {
        auto const& r = run.requests[k];
        if (r.n > a_min_small_requests || r.memory > a_min_small_memory || r.clock.affine() ||
            !all_at_0(r))
            continue;
        bool const is_short = AMinSmallBatch<Short>::holds(r);
        if (!is_short && !AMinSmallBatch<Wide>::holds(r)) continue;
        taken |= 1u << k;
        are_short = are_short && is_short;
    }
    are_short ? execute_in_batches<Short>(run, taken) : execute_in_batches<Wide>(run, taken);
}

std::size_t waiting_queue_bytes(std::int64_t n) { return WaitingQueueByLength::arena_bytes(n); }

} // namespace crx::CRX_SIMD_LEVEL
