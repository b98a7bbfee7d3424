#pragma once

#include "kernels/engines/requests/completion_queue.cuh"
#include "kernels/engines/requests/memory_profile.cuh"
#include "kernels/engines/requests/order.cuh"
#include "kernels/engines/requests/waiting_queues.cuh"
#include "kernels/model/requests.cuh"

namespace crx {

template <class P>
struct KeyQueueChoice
{
    using type = NoKeyQueue;
};
template <class P>
    requires(P::choice == Choice::keyed)
struct KeyQueueChoice<P>
{
    using type = KeyQueue<typename P::Key>;
};
template <class P>
using KeyQueueOf = typename KeyQueueChoice<P>::type;

/// The round model (docs/model.md#round-model) for one instance and one policy, request by request.
///
/// It stops only at rounds in which something can happen: a request completes, arrives or reaches a
/// working length at which the policy cancels, memory overflows, or the head of the queue can fit.
/// In all other rounds no policy acts and no random word is used, so the result is that of stepping
/// through every round.
template <class P>
class RequestEngine
{
    static constexpr bool keyed = P::choice == Choice::keyed;
    /// Whether the policy names its victims: then all active requests lie in one set.
    static constexpr bool names_victims = P::cancelling == Cancelling::as_victim_says;
    static constexpr bool on_overflow = P::cancelling == Cancelling::on_overflow;
    /// Whether the policy may cancel by what active requests have generated.
    static constexpr bool may_evict_by_tokens = requires(P const& p) { p.evicts; };

  public:
    CRX_HD RequestEngine(P const& policy, Requests const& requests, Arena& arena)
        : policy_(policy), requests_(requests), state_(arena.take<State>(requests.n)),
          order_(arena.take<RequestId>(requests.n)), first_token_(arena.take<Instant>(requests.n)),
          entered_(arena.take<RequestId>(requests.n)), rank_(arena.take<std::uint32_t>(requests.n)),
          scratch_(arena.take<RankedRequest>(requests.n)),
          profile_(arena, requests.n, requests.memory), stops_(arena, requests.n),
          active_classes_(arena, on_overflow ? requests.n : 0),
          active_set_(arena, names_victims || may_evict_by_tokens ? requests.n : 0),
          by_age_(arena.take<RequestId>(names_victims ? requests.n : 0)),
          age_(arena.take<std::uint32_t>(names_victims ? requests.n : 0)),
          past_(arena.take<Past>(keyed ? requests.n : 0)),
          ranked_(arena, P::choice == Choice::ranked ? requests.n : 0, order_, rank_),
          queued_(arena, P::choice == Choice::queued ? requests.n : 0),
          drawn_(arena, P::choice == Choice::drawn ? requests.n : 0, requests.prompt),
          keyed_(arena, keyed ? requests.n : 0)
    {
    }

    /// Bytes of arena an instance of n requests takes.
    static std::size_t arena_bytes(std::int64_t n)
    {
        Requests none;
        none.n = n;
        return arena_bytes_of([&](Arena& arena) { RequestEngine(P{}, none, arena); });
    }

    template <class Words>
    CRX_HD Outcome execute(Words words, ScheduleLog const& log)
    {
        begin(words, log);
        advance(words, log, INT64_MAX);
        return outcome_;
    }

    /// Makes the order and all that is there before the first event.
    template <class Words>
    CRX_HD void begin(Words& words, ScheduleLog const& log)
    {
        log_ = &log;
        if (requests_.n == 0) return;
        prepare(words);
        now_ = arrivals_[0].key;
        round_ = requests_.clock.affine() ? 0 : now_;
    }

    /// Goes on for so many events at most; whether the instance is done. Contract: `words` as they
    /// were left.
    template <class Words>
    CRX_HD bool advance(Words& words, ScheduleLog const& log, std::int64_t events)
    {
        log_ = &log;
        auto const end = outcome_.events + events;
        auto t = round_;
        for (; done_ < requests_.n && outcome_.finished != 0; t = next_event(t)) {
            if (outcome_.events == end) {
                round_ = t;
                return false;
            }
            CRX_ENSURE(t != no_round);
            ++outcome_.events;
            if constexpr (names_victims)
                if (passed_cap(t)) break;
            stop_and_complete(t);
            arrive();
            cancel_at_length(t);
            profile_.drop_until(t);
            cancel_on_overflow(t, words);
            if constexpr (P::choice == Choice::drawn)
                admit_drawn(t, words);
            else
                admit_in_order(t);
            if constexpr (P::outlived == Outlived::weightless)
                if (cancel_on_overflow(t, words)) next_fit_ = t + 1; // there may be room again
            if (log.on_event != nullptr)
                log.on_event(log.context, now_, held_before_, active_, waiting());
            if (log.should_abort(outcome_.events)) return true;
        }
        return true;
    }
    CRX_HD Outcome const& outcome() const { return outcome_; }

  private:
    /// What is looked at together whenever a request starts or leaves.
    struct State
    {
        Rounds start;
        std::int32_t prompt, output;
        std::int32_t length; ///< working length e
    };

    /// What keys that change read of a request.
    struct Past
    {
        Instant began;     ///< its latest run
        Instant ran;       ///< time in the runs before that, which were cancelled
        std::int32_t most; ///< tokens generated in one of these
    };

    template <class Words>
    CRX_HD void prepare(Words& words)
    {
        auto const n = requests_.n;
        auto const& r = requests_;
        make_order(policy_, r, words, scratch_, order_);
        for (std::int64_t k = 0; k < n; ++k) rank_[order_[k]] = static_cast<std::uint32_t>(k);
        arrivals_ = scratch_;
        aside_ = rank_; // only a ranked waiting set needs the ranks
        static_assert(P::choice != Choice::ranked ||
                      P::cancelling != Cancelling::at_working_length);
        stops_.reset();
        active_classes_.reset();
        ranked_.reset();
        drawn_.reset();
        bool equal_prompts = true;
        for (std::int64_t k = 0; k < n; ++k) {
            auto const id = order_[k];
            arrivals_[k] = {r.arrival[id], names_victims ? id : static_cast<std::uint32_t>(k), id};
            if constexpr (keyed) past_[id] = {0, 0, 0};
            state_[id] = {0, r.prompt[id], r.output[id], policy_.first_length(view_request(r, id))};
            if (r.prompt[id] != r.prompt[0]) equal_prompts = false;
            log_->clear(id);
        }
        sort_ascending(arrivals_, n);
        active_set_.clear();
        if constexpr (names_victims) {
            for (std::int64_t k = 0; k < n; ++k) by_age_[k] = arrivals_[k].id;
            if (!keyed && policy_.victim == Victim::least_preferred)
                for (std::int64_t k = 0; k < n; ++k) by_age_[k] = order_[k];
            for (std::int64_t k = 0; k < n; ++k) age_[by_age_[k]] = static_cast<std::uint32_t>(k);
        }
        if (equal_prompts) drawn_.prompts_are_equal();
    }

    // --- active requests -----------------------------------------------------------------------

    /// All active requests hold base_ + t active_ tokens at time t.
    CRX_HD Tokens held_at(Rounds t) const { return base_ + t * active_; }

    CRX_HD void start(Rounds t, RequestId id)
    {
        state_[id].start = t;
        if (requests_.clock.affine()) {
            entered_[entered_count_++] = id;
            entered_prompts_ += state_[id].prompt;
        }
        log_->write_start(id, now_);
        base_ += state_[id].prompt - t;
        ++active_;
        auto const o = Rounds{state_[id].output}, e = Rounds{state_[id].length};
        stops_.push(id, t + (P::cancelling == Cancelling::at_working_length && e < o ? e : o));
        if constexpr (on_overflow) active_classes_.insert(id, state_[id].length);
        if constexpr (names_victims) active_set_.insert(age_[id]);
        if constexpr (keyed) past_[id].began = now_;
        if (evicts_by_tokens()) active_set_.insert(id);
    }
    CRX_HD bool evicts_by_tokens() const
    {
        if constexpr (may_evict_by_tokens) return policy_.evicts == Evicts::least_current_bound;
        return false;
    }

    /// A request that the completion queue no longer holds leaves the active set.
    CRX_HD void leave(RequestId id)
    {
        base_ -= state_[id].prompt - state_[id].start;
        --active_;
        profile_.remove(state_[id].start, state_[id].prompt, state_[id].length);
        if constexpr (on_overflow) active_classes_.erase(id, state_[id].length);
        if constexpr (names_victims) active_set_.erase(age_[id]);
        if (evicts_by_tokens()) active_set_.erase(id);
    }

    CRX_HD void cancel(Rounds t, RequestId id)
    {
        leave(id);
        auto const generated = static_cast<std::int32_t>(t - state_[id].start);
        if (generated == 0) entered_prompts_ -= state_[id].prompt; // in a-min-evict
        state_[id].length =
            policy_.next_length(view_request(requests_, id), state_[id].length, generated);
        if constexpr (keyed) {
            past_[id].ran += now_ - past_[id].began;
            if (generated > past_[id].most) past_[id].most = generated;
        }
        ++outcome_.cancellations;
        outcome_.wasted_tokens += generated;
        if (log_->cancellations != nullptr) ++log_->cancellations[id];
        if (log_->lost != nullptr) log_->lost[id] += generated;
        log_->write_run(id, first_token_of(id), generated, false);
    }

    CRX_HD void wait(RequestId id)
    {
        if constexpr (P::choice == Choice::drawn)
            drawn_.push(id, state_[id].length);
        else if constexpr (P::choice == Choice::queued)
            queued_.push(id);
        else if constexpr (keyed)
            keyed_.push(id);
        else
            ranked_.push(id);
    }
    CRX_HD std::int64_t waiting() const
    {
        return drawn_.size() + queued_.size() + ranked_.size() + keyed_.size();
    }

    // --- the steps of a round, in the order of docs/model.md#round-model -------------------------

    /// Completions at time t; requests that reach their working length are put aside.
    CRX_HD void stop_and_complete(Rounds t)
    {
        held_before_ = held_at(t);
        if (held_before_ > outcome_.peak_memory) outcome_.peak_memory = held_before_;
        set_aside_ = 0;
        while (!stops_.empty() && stops_.next_stop() <= t) {
            auto const id = stops_.pop();
            if (state_[id].start + state_[id].output > t) {
                aside_[set_aside_++] = id;
                continue;
            }
            leave(id);
            complete(id);
            productive_ = t;
        }
    }
    CRX_HD void complete(RequestId id)
    {
        auto const arrival = requests_.arrival[id];
        auto const first = first_token_of(id);
        outcome_.total_latency += now_ - arrival;
        outcome_.first_token_latency += first - arrival;
        if (outcome_.total_latency >= time_limit) outcome_.give_up(Unfinished::out_of_range);
        outcome_.makespan = now_;
        if (log_->completion != nullptr) log_->completion[id] = now_;
        log_->write_run(id, first, state_[id].output, true);
        ++done_;
    }
    /// Of its present run; means nothing before it has generated a token.
    CRX_HD Instant first_token_of(RequestId id) const
    {
        return requests_.clock.affine() ? first_token_[id] : Instant{state_[id].start + 1};
    }

    CRX_HD void arrive()
    {
        for (; arrived_ < requests_.n && arrivals_[arrived_].key <= now_; ++arrived_)
            wait(arrivals_[arrived_].id);
    }

    CRX_HD void cancel_at_length(Rounds t)
    {
        if constexpr (P::cancelling == Cancelling::at_working_length) {
            if constexpr (P::choice == Choice::queued) sort_aside_by_ticket();
            for (std::int64_t k = 0; k < set_aside_; ++k) {
                cancel(t, aside_[k]);
                wait(aside_[k]);
            }
        }
    }
    /// Whoever was in the queue first goes back first.
    CRX_HD void sort_aside_by_ticket()
    {
        // Room: those set aside have arrived, and entries of arrivals_ before arrived_ are done
        // with.
        auto* const keyed = arrivals_;
        for (std::int64_t k = 0; k < set_aside_; ++k)
            keyed[k] = {0, queued_.ticket(aside_[k]), aside_[k]};
        sort_ascending(keyed, set_aside_);
        for (std::int64_t k = 0; k < set_aside_; ++k) aside_[k] = keyed[k].id;
    }

    /// Returns whether anybody was cancelled.
    template <class Words>
    CRX_HD bool cancel_on_overflow(Rounds t, Words& words)
    {
        if (held_at(t + 1) <= requests_.memory) return false;
        bool any = false;
        if constexpr (on_overflow) {
            for (; held_at(t + 1) > requests_.memory; any = true)
                cancel_active(t, evicts_by_tokens() ? least_current_bound(t, words)
                                                    : least_bound(words));
        }
        if constexpr (names_victims) {
            auto const all = policy_.victim == Victim::all;
            for (; all ? active_ > 0 : held_at(t + 1) > requests_.memory; any = true)
                cancel_active(t, victim(t));
        }
        return any;
    }
    CRX_HD void cancel_active(Rounds t, RequestId id)
    {
        stops_.erase(id);
        cancel(t, id);
        wait(id);
    }
    /// One of the active requests with the least working length, drawn.
    template <class Words>
    CRX_HD RequestId least_bound(Words& words)
    {
        active_classes_.open_front();
        auto& equals = active_classes_.front().members;
        return equals.select(words.bounded(static_cast<std::uint64_t>(equals.size())));
    }
    /// One of those whose working length would be least once cancelled, drawn.
    template <class Words>
    CRX_HD RequestId least_current_bound(Rounds t, Words& words)
    {
        auto const bound = [&](RequestId id) {
            return policy_.next_length(view_request(requests_, id), state_[id].length,
                                       static_cast<std::int32_t>(t - state_[id].start));
        };
        std::int32_t least = INT32_MAX;
        std::uint64_t equals = 0;
        active_set_.for_each([&](RequestId id) {
            auto const here = bound(id);
            if (here < least) equals = 0;
            if (here <= least) ++equals;
            least = here < least ? here : least;
        });
        auto left = words.bounded(equals);
        RequestId chosen = 0;
        active_set_.for_each([&](RequestId id) {
            if (bound(id) == least && left-- == 0) chosen = id;
        });
        return chosen;
    }
    /// Contract: some request is active.
    CRX_HD RequestId victim(Rounds t)
    {
        auto chosen = by_age_[active_set_.select(static_cast<std::uint64_t>(active_ - 1))];
        if constexpr (keyed)
            if (policy_.victim == Victim::least_preferred) {
                auto most = key_of_active(t, chosen);
                // Ages ascend, and of equal keys the newest goes.
                active_set_.for_each([&](std::uint32_t age) {
                    auto const key = key_of_active(t, by_age_[age]);
                    if (key < most) return;
                    most = key;
                    chosen = by_age_[age];
                });
            }
        return chosen;
    }
    CRX_HD auto key_of_active(Rounds t, RequestId id) const
    {
        auto const& past = past_[id];
        auto const tokens = static_cast<std::int32_t>(t - state_[id].start);
        return policy_.key(view_request(requests_, id),
                           past.began - requests_.arrival[id] - past.ran,
                           tokens > past.most ? tokens : past.most);
    }
    CRX_HD auto key_of_waiting(RequestId id) const
    {
        auto const& past = past_[id];
        return policy_.key(view_request(requests_, id), now_ - requests_.arrival[id] - past.ran,
                           past.most);
    }
    /// Whether so many rounds passed without a completion that the run ends: a request alone takes
    /// at most M.
    CRX_HD bool passed_cap(Rounds t)
    {
        if (active_ == 0 && waiting() == 0) productive_ = t; // it was idle
        bool const completes = !stops_.empty() && stops_.next_stop() <= t;
        if (t - productive_ - (completes ? 1 : 0) <= P::idle_cap * requests_.memory) return false;
        outcome_.give_up(Unfinished::round_cap);
        return true;
    }

    CRX_HD bool fits_next_token(Rounds t, Tokens s) const
    {
        return P::outlived == Outlived::weightless || held_at(t + 1) + s + 1 <= requests_.memory;
    }
    CRX_HD bool fits(Rounds t, Tokens s, Rounds e) const
    {
        return fits_next_token(t, s) && profile_.fits(t, s, e);
    }
    /// Equal requests are started as a group: the check is made once for all of them and the
    /// profile is updated once.
    struct Group
    {
        Tokens s = -1;
        Rounds e = -1;
        std::int64_t started = 0;
        std::int64_t left = -1; ///< how many more fit; -1: not computed
    };
    CRX_HD void close(Rounds t, Group& group)
    {
        if (group.started > 0) profile_.add(t, group.s, group.e, group.started);
        group = {};
    }
    /// Whether one more request (s, e) fits beside those started in this round.
    CRX_HD bool fits_after(Rounds t, Tokens s, Rounds e, Group& group)
    {
        if (group.started > 0 && group.s == s && group.e == e) {
            if (group.left < 0) {
                // The profile does not know the group yet, the total of active requests does.
                auto most = profile_.most_copies(t, s, e) - group.started;
                if constexpr (P::outlived == Outlived::counted) {
                    auto const copies = (requests_.memory - held_at(t + 1)) / (s + 1);
                    if (copies < most) most = copies;
                }
                group.left = most;
            }
            return group.left > 0;
        }
        close(t, group);
        if (!fits(t, s, e)) return false;
        group.s = s;
        group.e = e;
        return true;
    }
    CRX_HD void start_in(Rounds t, RequestId id, Group& group)
    {
        start(t, id);
        ++group.started;
        if (group.left > 0) --group.left;
    }

    CRX_HD void admit_in_order(Rounds t)
    {
        if constexpr (P::choice == Choice::queued)
            admit_from(queued_, t);
        else if constexpr (keyed)
            admit_by_key(t);
        else
            admit_from(ranked_, t);
    }
    CRX_HD void admit_by_key(Rounds t)
    {
        keyed_.make_line([&](RequestId id) { return key_of_waiting(id); }, requests_.arrival);
        admit_from(keyed_, t);
        if (keyed_.empty() || !policy_.keys_change_in_time()) return;
        // Another may be first in the next round, if any can start in it.
        std::int32_t least_prompt = INT32_MAX;
        keyed_.for_each([&](RequestId id) {
            if (state_[id].prompt < least_prompt) least_prompt = state_[id].prompt;
        });
        next_fit_ = fits_next_token(t + 1, least_prompt) ? t + 1 : no_round;
    }
    template <class Queue>
    CRX_HD void admit_from(Queue& queue, Rounds t)
    {
        Group group;
        next_fit_ = no_round;
        while (!queue.empty()) {
            auto const id = queue.front();
            auto const s = Tokens{state_[id].prompt};
            auto const e = Rounds{state_[id].length};
            if (!fits_after(t, s, e, group)) {
                close(t, group);
                next_fit_ = next_fit(t, s, e);
                return;
            }
            queue.pop(id);
            start_in(t, id, group);
        }
        close(t, group);
    }

    template <class Words>
    CRX_HD void admit_drawn(Rounds t, Words& words)
    {
        Group group;
        next_fit_ = no_round;
        while (!drawn_.empty()) {
            drawn_.open_front();
            auto const s = Tokens{drawn_.least_prompt()};
            auto const e = Rounds{drawn_.length()};
            if (!fits_after(t, s, e, group)) {
                close(t, group);
                next_fit_ = next_fit(t, s, e);
                return;
            }
            auto const r = words.bounded(static_cast<std::uint64_t>(drawn_.count()));
            auto const id = drawn_.peek(r);
            if (state_[id].prompt != s && !fits_after(t, state_[id].prompt, e, group)) {
                close(t, group);
                next_fit_ = t + 1; // somebody fits, so the next round draws again
                return;
            }
            drawn_.take(id);
            start_in(t, id, group);
        }
        close(t, group);
    }

    // --- skipping --------------------------------------------------------------------------------

    /// First later round in which (s, e) fits if nothing else happens.
    CRX_HD Rounds next_fit(Rounds t, Tokens s, Rounds e)
    {
        auto const limit = stops_.empty() ? no_round : stops_.next_stop();
        if (!fits_next_token(t + 1, s)) return no_round; // only a stop or a cancellation can help
        auto const fit = profile_.first_fit(t + 1, s, e, limit);
        return fit != no_round && fits_next_token(fit, s) ? fit : no_round;
    }

    /// Moves the clock on to the next event and returns its round.
    CRX_HD Rounds next_event(Rounds t)
    {
        auto next = next_of_active(t);
        if (requests_.clock.affine()) return pass_time(t, next);
        if (arrived_ < requests_.n && arrivals_[arrived_].key < next)
            next = arrivals_[arrived_].key;
        if (log_->on_stretch != nullptr && active_ > 0)
            log_->on_stretch(log_->stretch_context, t, {held_at(t + 1), active_, 0}, next - t,
                             next - t);
        return now_ = next;
    }

    /// The affine clock from round t to `next`, or to the round that the next arrival can join.
    CRX_HD Rounds pass_time(Rounds t, Rounds next)
    {
        bool const more = arrived_ < requests_.n;
        if (active_ == 0) { // idle: the next round begins at the arrival
            if (!more) return no_round;
            now_ = arrivals_[arrived_].key;
            return t + 1;
        }
        Stretch const stretch{held_at(t + 1), active_, entered_prompts_};
        auto const& clock = requests_.clock;
        if (more) next = t + clock.rounds_until(stretch, arrivals_[arrived_].key - now_, next - t);
        if (entered_count_ > 0) {
            auto const first_end = now_ + clock.elapsed(stretch, 1);
            for (std::int64_t k = 0; k < entered_count_; ++k) first_token_[entered_[k]] = first_end;
            entered_count_ = 0;
            entered_prompts_ = 0;
        }
        auto const time = clock.elapsed(stretch, next - t);
        if (log_->on_stretch != nullptr)
            log_->on_stretch(log_->stretch_context, now_, stretch, next - t, time);
        now_ += time;
        if (now_ >= time_limit) outcome_.give_up(Unfinished::out_of_range);
        return next;
    }

    /// First later round in which a request stops, memory overflows or the head of the queue fits.
    CRX_HD Rounds next_of_active(Rounds t)
    {
        auto next = next_fit_;
        if (!stops_.empty() && stops_.next_stop() < next) next = stops_.next_stop();
        if constexpr (on_overflow || names_victims) {
            if (active_ > 0) {
                // Least t' with base + (t' + 1) active > M.
                auto const slack = requests_.memory - base_;
                auto const overflow = slack / active_;
                if (overflow > t && overflow < next) next = overflow;
            }
        }
        return next;
    }

    P policy_;
    Requests requests_;
    State* state_;
    RequestId* order_;
    Instant* first_token_; ///< under the affine clock: of each active request
    RequestId* entered_;   ///< under the affine clock: started in this round
    std::uint32_t* rank_;
    RankedRequest* scratch_;
    RankedRequest* arrivals_ = nullptr; ///< by (arrival, place in the order)
    RequestId* aside_ = nullptr;        ///< at their working length in this round, to be cancelled
    MemoryProfile profile_;
    CompletionQueue stops_;
    ClassSet active_classes_; ///< for cancelling the least working length first
    IndexSet active_set_;     ///< by place in by_age_; where tokens decide, by index
    RequestId* by_age_;       ///< the last active one is cancelled first
    std::uint32_t* age_;      ///< its inverse
    Past* past_;
    RankQueue ranked_;
    TicketQueue queued_;
    DrawQueue drawn_;
    KeyQueueOf<P> keyed_;
    ScheduleLog const* log_ = nullptr;
    Outcome outcome_;
    Rounds round_ = 0; ///< in which advance() goes on
    Instant now_ = 0;  ///< when the round begins
    Tokens base_ = 0, held_before_ = 0, entered_prompts_ = 0;
    std::int64_t active_ = 0;
    RequestId arrived_ = 0, done_ = 0, set_aside_ = 0, entered_count_ = 0;
    Rounds next_fit_ = no_round;
    Rounds productive_ = 0; ///< of the last completion, or of the end of idleness
};

} // namespace crx
