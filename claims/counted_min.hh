#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <vector>

namespace crx::claims {

/// A_min (docs/model.md#a-min), counting by the round: times of the plan looked at or changed,
/// draws, and active requests passed. Requests wait in classes of equal e kept from round to round;
/// a draw counts one, as from a list whose last one takes the place of the one drawn.
///
/// Request: arrival, prompt, output, lower. Words: bounded(k), uniform on 0 .. k - 1.
template <class Request, class Words>
class CountedMin
{
  public:
    CountedMin(std::vector<Request> requests, std::int64_t memory, Words const& words)
        : requests_(std::move(requests)), memory_(memory), words_(words),
          expected_(requests_.size()), start(requests_.size(), -1)
    {
        for (std::size_t i = 0; i < requests_.size(); ++i) expected_[i] = requests_[i].lower;
    }

    void run()
    {
        auto left = requests_.size();
        for (now_ = 0; left > 0; ++now_) {
            operations_ = 0;
            for (std::size_t i = 0; i < requests_.size(); ++i)
                if (requests_[i].arrival == now_) waiting_[expected_[i]].insert(i);
            for (auto const i : active_) { // whoever has outlived its plan needs one more token
                ++operations_;
                if (now_ - start[i] >= expected_[i]) put(i, now_ + 1, now_ + 1, 1);
            }
            cancel_overflow();
            while (admit()) {
            }
            most_operations = std::max(most_operations, operations_);
            left -= std::erase_if(active_, [&](std::size_t i) {
                return start[i] + requests_[i].output == now_ + 1 && (release(i), true);
            });
        }
    }

  private:
    std::int64_t plan_end(std::size_t i) const
    {
        return start[i] + std::max(expected_[i], now_ - start[i] + 1);
    }

    struct Plan
    {
        std::int64_t weight = 0, count = 0; ///< of time t': it holds weight + count t'
    };
    std::int64_t held_at(std::int64_t t)
    {
        ++operations_;
        auto const& plan = at(t);
        return plan.weight + plan.count * t;
    }
    Plan& at(std::int64_t t)
    {
        if (static_cast<std::size_t>(t) >= plan_.size())
            plan_.resize(static_cast<std::size_t>(2 * t));
        return plan_[static_cast<std::size_t>(t)];
    }
    void put(std::size_t i, std::int64_t first, std::int64_t last, std::int64_t sign)
    {
        for (auto t = first; t <= last; ++t) {
            ++operations_;
            at(t).weight += sign * (requests_[i].prompt - start[i]);
            at(t).count += sign;
        }
    }

    /// Sorts the active by e once, and cancels from the front until the round fits.
    void cancel_overflow()
    {
        if (held_at(now_ + 1) <= memory_) return;
        auto sorted = active_;
        std::ranges::stable_sort(sorted, [&](std::size_t a, std::size_t b) {
            ++operations_;
            return expected_[a] < expected_[b];
        });
        std::map<std::int64_t, std::set<std::size_t>> classes;
        for (auto const i : sorted) classes[expected_[i]].insert(i);
        while (held_at(now_ + 1) > memory_) {
            auto& least = classes.begin()->second;
            auto const i = drawn_from(least);
            if (least.empty()) classes.erase(classes.begin());
            cancel(i);
        }
    }

    std::size_t drawn_from(std::set<std::size_t>& some)
    {
        ++operations_;
        auto const chosen =
            std::next(some.begin(), static_cast<std::ptrdiff_t>(words_.bounded(some.size())));
        auto const i = *chosen;
        some.erase(chosen);
        return i;
    }

    void cancel(std::size_t i)
    {
        put(i, now_ + 1, plan_end(i), -1);
        expected_[i] = std::max(expected_[i], now_ - start[i]);
        start[i] = -1;
        std::erase(active_, i); // a linked list would take one step
        waiting_[expected_[i]].insert(i);
    }

    /// A request that ends early leaves the rest of its plan.
    void release(std::size_t i) { put(i, now_ + 2, plan_end(i), -1); }

    bool fits(std::size_t i)
    {
        for (auto r = std::int64_t{1}; r <= expected_[i]; ++r)
            if (held_at(now_ + r) + requests_[i].prompt + r > memory_) return false;
        return true;
    }

    /// Prompts are equal here, so of a class either all fit or none.
    bool admit()
    {
        while (!waiting_.empty() && waiting_.begin()->second.empty())
            waiting_.erase(waiting_.begin());
        if (waiting_.empty() || !fits(*waiting_.begin()->second.begin())) return false;
        auto const i = drawn_from(waiting_.begin()->second);
        start[i] = now_;
        active_.push_back(i);
        put(i, now_ + 1, now_ + expected_[i], 1);
        return true;
    }

    std::vector<Request> requests_;
    std::int64_t memory_, now_ = 0;
    Words words_;
    std::vector<std::int64_t> expected_;
    std::vector<std::size_t> active_;
    std::map<std::int64_t, std::set<std::size_t>> waiting_;
    std::vector<Plan> plan_;
    std::int64_t operations_ = 0;

  public:
    std::vector<std::int64_t> start;
    std::int64_t most_operations = 0;
};

} // namespace crx::claims
