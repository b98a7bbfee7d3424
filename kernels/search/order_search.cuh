#pragma once

#include "kernels/random/word_stream.cuh"
#include "kernels/search/order_schedule.cuh"

namespace crx::search {

/// Stream of a search's run 0; run r draws from this plus r (docs/random-choices.md).
inline constexpr std::uint32_t first_search_stream = 1u << 16;

struct Effort
{
    std::int64_t evaluations = 2000; ///< schedules looked at in a run, at least 1
    int runs = 1;                    ///< of an instance, each with words of its own; at least 1
    std::uint64_t seed = 1;
    std::uint64_t first_instance = 0; ///< number of a batch's first, for the words
};

/// The answer to whether to end a run early, where nobody asks.
struct NeverStop
{
    CRX_HD bool operator()() const { return false; }
};

/// An order of starts and TEL of its schedule.
struct FoundOrder
{
    std::int32_t total_latency = 0;
    std::uint8_t order[most_requests] = {}; ///< request k starts k-th; 0 from n on

    friend bool operator==(FoundOrder const&, FoundOrder const&) = default;
};

/// Local search over the orders in which the requests of one instance start, from the one of MC-SF
/// (outputs ascending). A move exchanges two requests or takes one to another place, each half of
/// the time, places uniform. It is kept if the sum of starts (TEL less the sum of outputs) rises by
/// no more than a threshold that falls to 0 over the run. Integers alone decide, so that every
/// processor finds the same order. A schedule is left as soon as its order is known to be refused;
/// what comes before the first change is not scheduled again.
/// Source: threshold accepting, Dueck and Scheuer (1990), doi:10.1016/0021-9991(90)90201-B.
///
/// Schedule: OrderSchedule, but for tests. Contract: as there, n >= 1, every request fits alone.
template <class Schedule = OrderSchedule>
class OrderSearch
{
  public:
    /// The first n of `requests` must outlive the search.
    CRX_HD OrderSearch(Lengths const* requests, int n, std::int32_t memory)
        : requests_(requests), n_(n), schedule_(memory)
    {
        for (int i = 0; i < n; ++i) { // by insertion; equal ones by index
            auto k = i;
            for (; k > 0 && requests[order_[k - 1]].output > requests[i].output; --k)
                order_[k] = order_[k - 1];
            order_[k] = static_cast<std::uint8_t>(i);
            outputs_ += requests[i].output;
        }
    }

    /// One run; once for an object. Ends soon after stop() says true, with what it has.
    template <class Stop = NeverStop>
    CRX_HD void run(Effort const& effort, std::uint64_t instance, int run, FoundOrder& found,
                    Stop const& stop = {})
    {
        auto current = evaluate(0, INT32_MAX);
        keep(0);
        record(current, found);
        if (n_ == 1) return;
        WordStream words(effort.seed, first_search_stream + static_cast<std::uint32_t>(run),
                         instance);
        auto const moves = 2 * static_cast<std::uint64_t>(n_ * (n_ - 1));
        std::int64_t const hottest = current / n_ / heat + 2; // small instances need some too
        auto best = current;
        for (std::int64_t left = effort.evaluations - 1; left > 0; --left) {
            if (left % asked_every == 0 && stop()) return;
            auto const move = static_cast<int>(words.bounded(moves));
            auto const from = move / 2 / (n_ - 1);
            auto to = move / 2 % (n_ - 1);
            to += to >= from ? 1 : 0;
            change(move % 2, from, to);
            auto const first = from < to ? from : to;
            auto const slack = static_cast<std::int32_t>(hottest * left / effort.evaluations);
            auto const sum = evaluate(first, current + slack + 1);
            if (sum > current + slack) {
                change(move % 2, to, from); // each kind undoes itself so
                continue;
            }
            current = sum;
            keep(first);
            if (current < best) record(best = current, found);
        }
    }

  private:
    static constexpr std::int64_t asked_every = 1024; ///< schedules
    static constexpr int heat = 16; ///< the first threshold is this part of the mean start

    CRX_HD void change(int kind, int from, int to)
    {
        auto const moved = order_[from];
        if (kind == 0)
            order_[from] = order_[to];
        else if (from < to)
            for (auto k = from; k < to; ++k) order_[k] = order_[k + 1];
        else
            for (auto k = from; k > to; --k) order_[k] = order_[k - 1];
        order_[to] = moved;
    }

    /// Sum of starts, those before `first` as kept; or a number of at least `stop_at` as soon as it
    /// cannot be less.
    CRX_HD std::int32_t evaluate(int first, std::int32_t stop_at)
    {
        schedule_.clear();
        std::int32_t sum = 0;
        auto t = first > 0 ? start_[first - 1] : 0;
        for (int k = 0; k < first; ++k) {
            auto const& r = requests_[order_[k]];
            sum += start_[k];
            if (start_[k] + r.output > t) schedule_.add(start_[k], r);
        }
        schedule_.resume(t);
        for (auto k = first; k < n_; ++k) {
            t = schedule_.start(requests_[order_[k]]);
            if (sum + (n_ - k) * t >= stop_at) return stop_at; // none of the rest starts earlier
            trial_[k] = t;
            sum += t;
        }
        return sum;
    }

    CRX_HD void keep(int first)
    {
        for (auto k = first; k < n_; ++k) start_[k] = trial_[k];
    }

    CRX_HD void record(std::int32_t sum, FoundOrder& found) const
    {
        found.total_latency = sum + outputs_;
        for (int k = 0; k < most_requests; ++k) found.order[k] = k < n_ ? order_[k] : 0;
    }

    Lengths const* requests_;
    int n_;
    std::int32_t outputs_ = 0;
    Schedule schedule_;
    std::uint8_t order_[most_requests] = {};
    std::int32_t start_[most_requests], trial_[most_requests]; // by place; kept, and last looked at
};

} // namespace crx::search
