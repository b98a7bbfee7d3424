#pragma once

#include "kernels/cpu/single.hh"
#include "kernels/random/word_stream.cuh"

#include <cstdint>
#include <functional>
#include <string>

namespace crx::search {

/// Requests of an instance that this search takes at most.
inline constexpr int most_requests = 64;

/// A request: prompt and true output, in tokens, and the round in which it arrives.
struct Lengths
{
    std::int32_t prompt, output, arrival = 0;
};

/// Requests started one by one in a given order: each in the first round, not before its arrival
/// nor its predecessor's start, in which it passes the check of docs/model.md#look-ahead-check with
/// its true length; or, with a wait of w >= 1, in the first such round that comes w rounds later or
/// more. Without waits it is the rule of ListSchedule
/// (kernels/engines/lists/list_schedule.hh), which is told the whole order; this one can
/// go on from any place of a schedule whose starts are known, and be left there. Contract:
/// most_requests at most; M below 2^24, the sum of outputs plus the last arrival too.
class OrderSchedule
{
  public:
    explicit OrderSchedule(std::int32_t memory) : memory_(memory) {}

    /// Goes on from a schedule whose latest start is in round t. Before that call, or after one of
    /// clear(): add() each of its requests that ends after t.
    void resume(std::int32_t t) { t_ = t; }
    void clear() { head_ = tail_ = t_ = 0; }

    /// Starts the next request; returns its round.
    std::int32_t start(Lengths const& r, std::int32_t wait = 0)
    {
        if (t_ < r.arrival) t_ = r.arrival;
        t_ = earliest(r);
        if (wait > 0) {
            t_ += wait;
            t_ = earliest(r);
        }
        while (head_ < tail_ && end_[head_] <= t_) ++head_;
        add(t_, r);
        return t_;
    }

    /// A request that started in round `start`.
    void add(std::int32_t start, Lengths const& r)
    {
        auto const end = start + r.output, base = r.prompt - start;
        auto past = tail_; // first that ends later
        for (; past > head_ && end_[past - 1] > end; --past) {
            end_[past] = end_[past - 1];
            load_[past] = load_[past - 1];
        }
        ++tail_;
        auto load = end + r.prompt + r.output;
        if (past + 1 < tail_) load += held_before(past + 1, end);
        for (auto k = head_; k < past; ++k) load_[k] += end_[k] + base;
        end_[past] = end;
        load_[past] = past > head_ && end_[past - 1] == end ? load_[past - 1] : load;
    }

  private:
    /// First round from t on in which r fits. A running request's end E, with H held then, asks of
    /// one that ends no earlier for a start at H + E + s - M, or at E, whichever is less.
    std::int32_t earliest(Lengths const& r) const
    {
        auto const excess = r.prompt - memory_;
        auto head = head_;
        for (auto t = t_;;) {
            while (head < tail_ && end_[head] <= t) ++head;
            auto const own_end = t + r.output;
            auto bound = t;
            auto k = head;
            for (; k < tail_ && end_[k] <= own_end; ++k) {
                auto const by_load = load_[k] + excess;
                auto const asked = by_load < end_[k] ? by_load : end_[k];
                bound = bound < asked ? asked : bound;
            }
            // It ends among others: what they hold grows towards the next end.
            if (bound == t && k < tail_ && held_before(k, own_end) + r.prompt + r.output > memory_)
                bound = end_[k] + 1 - r.output;
            if (bound == t) return t;
            t = bound;
        }
    }

    /// Held at time t, before end number k, by those from k on.
    std::int32_t held_before(int k, std::int32_t t) const
    {
        return load_[k] - end_[k] - (tail_ - k) * (end_[k] - t);
    }

    // [head_, tail_): what runs, by end. load_[k]: what is held at time end_[k] by those that end
    // then or later, plus that time.
    std::int32_t end_[most_requests], load_[most_requests];
    std::int32_t memory_, t_ = 0;
    int head_ = 0, tail_ = 0;
};

/// Stream of a search's run 0; run r draws from this plus r (docs/random-choices.md).
inline constexpr std::uint32_t first_search_stream = 1u << 16;

struct Effort
{
    std::int64_t evaluations; ///< schedules looked at in a run, at least 1
    std::uint64_t seed;
};

/// A schedule and its TEL.
struct FoundStarts
{
    std::int32_t total_latency = 0;
    std::int32_t start[most_requests] = {}; ///< start[i]: round in which request i starts; 0 from n

    friend bool operator==(FoundStarts const&, FoundStarts const&) = default;
};

/// Local search over the orders in which the requests of one instance start and over deliberate
/// waits, from the order of arrival + output without waits: MC-SF's where all arrive at 0.
///
/// A wait is part of the code because some optimal schedules are no order's
/// (docs/decisions/043-baselines.md): two requests that grow can trade rounds one for one, and the
/// later one's gain may carry on. Waits count from the first round in which the request fits, so
/// that they keep their sense when others move.
///
/// A move changes a wait (a quarter of the time, in runs of 4 n^3 schedules or more: shorter ones
/// do better without), exchanges two requests or takes one to another place, with its wait;
/// requests and places are uniform. It is kept if the sum of starts (TEL less a constant) rises by
/// no more than a threshold that falls to 0 over the run. Integers alone decide, so that every
/// machine finds the same schedule. A schedule is left as soon as it is known to be refused; what
/// comes before the first change is not scheduled again. Source: threshold accepting, Dueck and
/// Scheuer (1990), doi:10.1016/0021-9991(90)90201-B.
///
/// Schedule: OrderSchedule, but for tests. Contract: as there, n >= 1, every request fits alone.
template <class Schedule = OrderSchedule>
class OrderSearch
{
  public:
    /// The first n of `requests` must outlive the search.
    OrderSearch(Lengths const* requests, int n, std::int32_t memory)
        : requests_(requests), n_(n), schedule_(memory)
    {
        for (int i = 0; i < n; ++i) { // by insertion; equal ones by index
            auto const key = requests[i].arrival + requests[i].output;
            auto k = i;
            for (; k > 0 && key_of(k - 1) > key; --k) place_[k] = place_[k - 1];
            place_[k] = {static_cast<std::uint8_t>(i), 0};
            constant_ += requests[i].output - requests[i].arrival;
            arrivals_ += requests[i].arrival;
        }
    }

    /// One run; once for an object. Ends soon after stop() says true, with what it has.
    template <class Stop>
    void run(Effort const& effort, int run, FoundStarts& found, Stop const& stop)
    {
        auto current = evaluate(0, INT32_MAX);
        keep(0);
        record(current, found);
        if (n_ == 1) return;
        WordStream words(effort.seed, first_search_stream + static_cast<std::uint32_t>(run), 0);
        // Kinds of moves: 0 .. 2 exchange; 3 .. 5 another place; 6, 7 a wait.
        auto const waiting = effort.evaluations >= least_waiting_run * n_ * n_ * n_;
        auto const kinds = waiting ? 8 : 6;
        auto const moves = static_cast<std::uint64_t>(kinds * n_ * (n_ - 1));
        // The first threshold is a part of the mean start; small instances need some too.
        std::int64_t const hottest = (current - arrivals_) / n_ / (waiting ? 8 : 16) + 2;
        auto best = current;
        for (std::int64_t left = effort.evaluations - 1; left > 0; --left) {
            if (left % asked_every == 0 && stop()) return;
            auto const move = static_cast<int>(words.bounded(moves));
            auto const kind = move % kinds;
            auto const from = move / kinds / (n_ - 1);
            auto to = move / kinds % (n_ - 1);
            to += to >= from ? 1 : 0;
            auto const waits = kind >= 6;
            auto const old_wait = place_[from].wait;
            if (waits)
                place_[from].wait = changed(old_wait, static_cast<int>(words.bounded(32)));
            else
                change(kind < 3, from, to);
            auto const first = waits || from < to ? from : to;
            auto const slack = static_cast<std::int32_t>(hottest * left / effort.evaluations);
            auto const sum = evaluate(first, current + slack + 1);
            if (sum > current + slack) {
                if (waits)
                    place_[from].wait = old_wait;
                else
                    change(kind < 3, to, from); // each kind undoes itself so
                continue;
            }
            current = sum;
            keep(first);
            if (current < best) record(best = current, found);
        }
    }

  private:
    static constexpr std::int64_t asked_every = 1024;    ///< schedules
    static constexpr std::int64_t least_waiting_run = 4; ///< times n^3 schedules

    /// Who starts k-th, and after how many rounds in which it would fit.
    struct Place
    {
        std::uint8_t request = 0, wait = 0;
    };

    std::int32_t key_of(int k) const
    {
        auto const& r = requests_[place_[k].request];
        return r.arrival + r.output;
    }

    /// A wait after a move, by a uniform number below 32: none becomes one of 1 .. 8 rounds;
    /// another ends (half of the time) or changes by a round.
    static std::uint8_t changed(std::uint8_t wait, int drawn)
    {
        if (wait == 0) return static_cast<std::uint8_t>(1 + drawn % 8);
        if (drawn < 16) return 0;
        if (drawn < 24) return static_cast<std::uint8_t>(wait - 1);
        return wait < 255 ? static_cast<std::uint8_t>(wait + 1) : wait;
    }

    void change(bool exchange, int from, int to)
    {
        auto const moved = place_[from];
        if (exchange)
            place_[from] = place_[to];
        else if (from < to)
            for (auto k = from; k < to; ++k) place_[k] = place_[k + 1];
        else
            for (auto k = from; k > to; --k) place_[k] = place_[k - 1];
        place_[to] = moved;
    }

    /// Sum of starts, those before `first` as kept; or a number of at least `stop_at` as soon as it
    /// cannot be less.
    std::int32_t evaluate(int first, std::int32_t stop_at)
    {
        schedule_.clear();
        std::int32_t sum = 0;
        auto t = first > 0 ? start_[first - 1] : 0;
        for (int k = 0; k < first; ++k) {
            auto const& r = requests_[place_[k].request];
            sum += start_[k];
            if (start_[k] + r.output > t) schedule_.add(start_[k], r);
        }
        schedule_.resume(t);
        for (auto k = first; k < n_; ++k) {
            t = schedule_.start(requests_[place_[k].request], place_[k].wait);
            if (sum + (n_ - k) * t >= stop_at) return stop_at; // none of the rest starts earlier
            trial_[k] = t;
            sum += t;
        }
        return sum;
    }

    void keep(int first)
    {
        for (auto k = first; k < n_; ++k) start_[k] = trial_[k];
    }

    void record(std::int32_t sum, FoundStarts& found) const
    {
        found.total_latency = sum + constant_;
        for (auto& start : found.start) start = 0;
        for (int k = 0; k < n_; ++k) found.start[place_[k].request] = start_[k];
    }

    Lengths const* requests_;
    int n_;
    std::int32_t constant_ = 0, arrivals_ = 0; // TEL less the sum of starts; sum of arrivals
    Schedule schedule_;
    Place place_[most_requests] = {};
    std::int32_t start_[most_requests], trial_[most_requests]; // by place; kept, and last looked at
};

/// Why search_run refuses an instance, empty if it does not: no request or more than
/// most_requests, one that does not fit alone, M or the sum of outputs plus the last arrival of
/// 2^24 or more, a clock that does not count rounds.
std::string search_refusal(OwnedInstance const& instance);

/// Run number `run` of OrderSearch, on this thread; the run draws words of its own. It ends soon
/// after stop() says true, with the best schedule till then: MC-SF's at least, where all arrive at
/// 0. A schedule counts only after the request engine has started each request in the same round.
/// Throws std::invalid_argument with search_refusal.
FoundStarts search_run(OwnedInstance const& instance, Effort const& effort, int run,
                       std::function<bool()> const& stop);

} // namespace crx::search
