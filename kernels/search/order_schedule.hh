#pragma once

#include <cstdint>

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
/// (kernels/engines/list_schedule/list_schedule.cuh), which is told the whole order; this one can
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

} // namespace crx::search
