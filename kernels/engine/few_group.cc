#include "kernels/engine/few_group.hh"

// For processors with AVX-512, as few_active.cc.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CRX_FEW_GROUP 1
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi,bmi2,lzcnt,popcnt")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi" // all is inlined, so it does not matter how it is passed
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // of values that instructions may ignore
#include "kernels/engine/waiting_lanes.hh"
#include <immintrin.h>

namespace crx {
namespace {

constexpr int lanes = SlotLanes::lanes;
static_assert(lanes == few_group_size);
constexpr std::int32_t never = SlotLanes::never;

template <class Work>
[[gnu::always_inline]] inline void for_each_lane(__mmask16 set, Work work)
{
    for (unsigned rest = set; rest != 0; rest &= rest - 1) work(lowest_bit(rest));
}

class FewGroup
{
  public:
    FewGroup(Requests const* requests, int count, std::uint64_t seed, std::uint32_t stream,
             std::uint64_t first, ScheduleLog const& ask, ScheduleLog const* logs, Arena& arena,
             std::optional<Outcome>* outcomes)
        : ask_(ask), logs_(logs), outcomes_(outcomes), waiting_(seed, stream, first)
    {
        time_ = memory_ = base_ = count_ = peak_ = Row{};
        std::ranges::fill(events_.of, 1); // round 0
        for (int k = 0; k < count; ++k) {
            outcomes[k].reset();
            auto const& r = requests[k];
            if (r.n == 0) outcomes[k] = Outcome{};
            if (r.n == 0 || !takes(r)) continue;
            running_ |= static_cast<__mmask16>(1u << k);
            memory_.of[k] = static_cast<std::int32_t>(r.memory);
            waiting_.fill(k, r, arena);
            if (logs != nullptr && logs[k].cancellations != nullptr)
                std::fill_n(logs[k].cancellations, r.n, 0);
        }
    }

    void execute()
    {
        for (std::int64_t step = 1; running_ != 0; ++step) {
            advance();
            if (step % 32 == 0) active_.shrink();
            if (ask_.abandons(step)) return;
        }
    }

  private:
    static bool takes(Requests const& r)
    {
        auto const below = [&](std::int32_t const* value, std::int32_t limit) {
            return *std::max_element(value, value + r.n) < limit;
        };
        return r.n <= few_active_requests && r.memory <= few_active_memory && !r.clock.affine() &&
               std::all_of(r.arrival, r.arrival + r.n, [](Instant at) { return at == 0; }) &&
               below(r.output, never / 2) && below(r.prompt, FrontClass::prompt_limit);
    }

    /// One step of every lane that runs: a start; or a failed draw, after which it is the next
    /// round; or nobody fits, and then the next event's round. Before any of that all go who
    /// complete or are cancelled in the round, one a step.
    void advance()
    {
        auto const base = base_.load(), count = count_.load(), memory = memory_.load(),
                   least = waiting_.least_prompt(), one = _mm512_set1_epi32(1);
        auto time = time_.load();
        auto const candidates = waiting_.candidates();
        auto const seen = active_.look(time, waiting_.length());
        auto const stop = SlotLanes::round_of(seen.stop);
        auto const next_held = held(base, count, _mm512_add_epi32(time, one));
        auto const leaves =
            _mm512_cmple_epi32_mask(stop, time) | _mm512_cmpgt_epi32_mask(next_held, memory);
        auto const admits = static_cast<__mmask16>(running_ & ~leaves);
        auto const room_next = _mm512_sub_epi32(_mm512_sub_epi32(memory, one), next_held);
        auto const room_later = _mm512_sub_epi32(memory, seen.held);
        auto const by_next = _mm512_mask_cmple_epi32_mask(admits, least, room_next);
        auto const draws = _mm512_mask_cmple_epi32_mask(by_next, least, room_later);
        auto const drawn = waiting_.draw(draws, candidates);
        auto const starts = _mm512_mask_cmple_epi32_mask(draws, drawn.prompt,
                                                         _mm512_min_epi32(room_next, room_later));

        // Those who start stay in their round.
        auto const moves = static_cast<__mmask16>(admits & ~starts);
        auto jump = _mm512_min_epi32(stop, overflow(base, count, memory));
        if (auto const later = static_cast<__mmask16>(by_next & ~draws); later != 0)
            jump = sooner(later, jump, stop);
        time = _mm512_mask_add_epi32(time, moves, time, one);
        time = _mm512_mask_mov_epi32(time, static_cast<__mmask16>(admits & ~draws), jump);
        time_.store(time);
        auto const peak = peak_.load();
        peak_.store(_mm512_mask_max_epi32(peak, moves, peak, held(base, count, time)));
        events_.store(_mm512_mask_add_epi32(events_.load(), moves, events_.load(), one));

        auto const completion = _mm512_add_epi32(time, drawn.output);
        active_.prepare(starts, seen, time, drawn.prompt, waiting_.length(), completion);
        base_.store(
            _mm512_mask_add_epi32(base, starts, base, _mm512_sub_epi32(drawn.prompt, time)));
        count_.store(_mm512_mask_add_epi32(count, starts, count, one));

        auto const past = _mm512_set1_epi32(never);
        auto const late =
            static_cast<__mmask16>(_mm512_mask_cmpge_epi32_mask(moves, time, past) |
                                   _mm512_mask_cmpge_epi32_mask(starts, completion, past));
        if (late != 0) [[unlikely]]
            for_each_lane(late, [&](int k) { give_up(k); });
        stop_.store(seen.stop);
        auto const completes = _mm512_mask_cmple_epi32_mask(running_, stop, time);
        auto const cancels =
            _mm512_mask_cmpgt_epi32_mask(static_cast<__mmask16>(running_ & ~completes & ~starts),
                                         held(base, count, _mm512_add_epi32(time, one)), memory);
        for_each_lane(static_cast<__mmask16>(starts & running_), [&](int k) { start(k); });
        for_each_lane(completes, [&](int k) { complete(k); });
        for_each_lane(cancels, [&](int k) { cancel(k); });
    }

    /// Tokens held at time t.
    static __m512i held(__m512i base, __m512i count, __m512i t)
    {
        return _mm512_add_epi32(base, _mm512_mullo_epi32(t, count));
    }
    /// First round in which memory overflows if all who run stay: the least t with
    /// base + (t + 1) count > M. Exact: what is no integer is at least 1/64 away from one.
    static __m512i overflow(__m512i base, __m512i count, __m512i memory)
    {
        auto const over = _mm512_sub_epi32(memory, base);
        auto const quotient = [](__m256i a, __m256i b) {
            return _mm512_cvttpd_epi32(_mm512_div_pd(_mm512_cvtepi32_pd(a), _mm512_cvtepi32_pd(b)));
        };
        auto const low = quotient(_mm512_castsi512_si256(over), _mm512_castsi512_si256(count));
        auto const high =
            quotient(_mm512_extracti64x4_epi64(over, 1), _mm512_extracti64x4_epi64(count, 1));
        return _mm512_mask_mov_epi32(_mm512_set1_epi32(never), _mm512_test_epi32_mask(count, count),
                                     _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    }
    /// `jump`, or where it is before that the round in which the least prompt fits though nothing
    /// happens: it may, as a later start has grown less at every end.
    [[gnu::noinline]] __m512i sooner(__mmask16 set, __m512i jump, __m512i stop) const
    {
        Row rounds, stops;
        rounds.store(jump);
        stops.store(stop);
        for_each_lane(set, [&](int k) {
            auto const s = waiting_.least_prompt(k), memory = memory_.of[k];
            auto const fits_next = [&](std::int32_t t) {
                return base_.of[k] + (t + 1) * count_.of[k] + s + 1 <= memory;
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
        auto const drawn = waiting_.take_drawn(k);
        if (active_.full(k)) return give_up(k);
        active_.add(k, {time_.of[k], drawn.prompt, drawn.length, drawn.id});
        if (logs_ != nullptr && logs_[k].start != nullptr) [[unlikely]]
            logs_[k].start[drawn.id] = time_.of[k];
    }
    SlotLanes::Run leave(int k, int slot)
    {
        auto const run = active_.run(k, slot);
        active_.remove(k, slot);
        base_.of[k] -= run.prompt - run.start;
        --count_.of[k];
        return run;
    }
    void complete(int k)
    {
        auto const t = time_.of[k];
        auto const run = leave(k, SlotLanes::slot_of(stop_.of[k]));
        outcome_[k].total_latency += t;
        outcome_[k].first_token_latency += run.start + 1;
        if (logs_ != nullptr && logs_[k].completion != nullptr) [[unlikely]]
            logs_[k].completion[run.id] = t;
        if (count_.of[k] == 0 && waiting_.empty(k)) finish(k);
    }
    void cancel(int k)
    {
        auto const all = active_.of_least_length(k);
        auto const r = waiting_.bounded(k, static_cast<std::uint64_t>(count_bits(all)));
        auto const run = leave(k, active_.member(k, all, static_cast<int>(r)));
        auto const generated = time_.of[k] - run.start;
        waiting_.push(k, {run.id, run.prompt, std::max(run.length, generated)});
        ++outcome_[k].cancellations;
        outcome_[k].wasted_tokens += generated;
        if (logs_ != nullptr && logs_[k].cancellations != nullptr) [[unlikely]]
            ++logs_[k].cancellations[run.id];
    }

    void finish(int k)
    {
        auto& outcome = outcome_[k];
        outcome.makespan = time_.of[k];
        outcome.peak_memory = peak_.of[k];
        outcome.events = events_.of[k];
        outcomes_[k] = outcome;
        running_ &= static_cast<__mmask16>(~(1u << k));
    }
    [[gnu::noinline, gnu::cold]] void give_up(int k)
    {
        active_.clear(k);
        waiting_.clear(k);
        running_ &= static_cast<__mmask16>(~(1u << k));
    }

    using Row = SlotLanes::Row;

    ScheduleLog const& ask_;
    ScheduleLog const* logs_;
    std::optional<Outcome>* outcomes_;
    __mmask16 running_ = 0;
    Row time_, memory_;
    Row base_, count_; ///< all active requests hold base + t count tokens at time t
    Row peak_, events_;
    Row stop_; ///< the next completions, as seen in this step
    SlotLanes active_;
    WaitingLanes waiting_;
    Outcome outcome_[lanes];
};

[[gnu::flatten]] void execute_wide(Requests const* requests, int count, std::uint64_t seed,
                                   std::uint32_t stream, std::uint64_t first,
                                   ScheduleLog const& ask, ScheduleLog const* logs, Arena& arena,
                                   std::optional<Outcome>* outcomes)
{
    FewGroup(requests, count, seed, stream, first, ask, logs, arena, outcomes).execute();
}
} // namespace
} // namespace crx
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif

namespace crx {

std::size_t few_group_bytes(std::int64_t n)
{
    return static_cast<std::size_t>(few_group_size) * few_active_bytes(n);
}

void execute_few_group(Requests const* requests, int count, std::uint64_t seed,
                       std::uint32_t stream, std::uint64_t first, ScheduleLog const& ask,
                       ScheduleLog const* logs, Arena& arena, std::optional<Outcome>* outcomes)
{
#ifdef CRX_FEW_GROUP
    if (has_few_active())
        return execute_wide(requests, count, seed, stream, first, ask, logs, arena, outcomes);
#endif
    (void)seed, (void)stream, (void)first, (void)ask, (void)logs, (void)arena, (void)requests;
    for (int k = 0; k < count; ++k) outcomes[k].reset();
}

} // namespace crx
