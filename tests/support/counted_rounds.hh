#pragma once

#include "oracle/oracle.hh"

#include <algorithm>
#include <numeric>
#include <vector>

namespace crx_test {

/// What one run of MC-SF cost, by the round that cost most.
struct CountedRun
{
    std::vector<std::int64_t> start;
    std::int64_t most_inequalities = 0; ///< checked in a round
    std::int64_t most_operations = 0;   ///< terms summed, or times looked at and changed
};

/// MC-SF (JAILLET Algorithm 1) with two ways to check (5), counting.
class CountedRounds
{
  public:
    CountedRounds(std::vector<oracle::Request> requests, std::int64_t memory)
        : requests_(std::move(requests)), memory_(memory), order_(requests_.size())
    {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return requests_[i].output; });
        std::int64_t end = 1;
        for (auto const& r : requests_) end = std::max(end, r.arrival) + r.output;
        weight_.assign(static_cast<std::size_t>(end + 1), 0);
        count_ = weight_;
    }

    /// As printed: for every j in S and U the inequality at p_j + o_j, each a sum over S and U.
    CountedRun as_printed()
    {
        return run([&](std::size_t candidate, std::int64_t now) {
            active_.push_back(candidate);
            run_.start[candidate] = now;
            for (auto const j : active_) {
                ++inequalities_;
                auto const at = run_.start[j] + requests_[j].output;
                std::int64_t held = 0;
                for (auto const k : active_) {
                    ++operations_;
                    auto const age = at - run_.start[k];
                    if (age <= requests_[k].output) held += requests_[k].prompt + age;
                }
                if (held <= memory_) continue;
                active_.pop_back();
                run_.start[candidate] = -1;
                return false;
            }
            return true;
        });
    }

    /// Of every time t' to come: how many will hold memory, and the sum of s_j - p_j over them, so
    /// that they hold weight + count t'. A candidate looks at its o times, and is put into them.
    CountedRun by_time()
    {
        return run([&](std::size_t candidate, std::int64_t now) {
            auto const& r = requests_[candidate];
            for (auto t = now + 1; t <= now + r.output; ++t) {
                ++inequalities_;
                ++operations_;
                auto const k = static_cast<std::size_t>(t);
                if (weight_[k] + count_[k] * t + r.prompt + t - now > memory_) return false;
            }
            for (auto t = now + 1; t <= now + r.output; ++t) {
                ++operations_;
                weight_[static_cast<std::size_t>(t)] += r.prompt - now;
                ++count_[static_cast<std::size_t>(t)];
            }
            active_.push_back(candidate);
            run_.start[candidate] = now;
            return true;
        });
    }

  private:
    template <class Admit>
    CountedRun run(Admit admit)
    {
        run_ = {std::vector<std::int64_t>(requests_.size(), -1), 0, 0};
        active_.clear();
        auto left = requests_.size();
        for (std::int64_t now = 0; left > 0; ++now) {
            std::erase_if(
                active_, [&](std::size_t i) { return run_.start[i] + requests_[i].output <= now; });
            inequalities_ = operations_ = 0;
            for (auto const i : order_) {
                if (run_.start[i] >= 0 || requests_[i].arrival > now) continue;
                if (!admit(i, now)) break;
                --left;
            }
            run_.most_inequalities = std::max(run_.most_inequalities, inequalities_);
            run_.most_operations = std::max(run_.most_operations, operations_);
        }
        return run_;
    }

    std::vector<oracle::Request> requests_;
    std::int64_t memory_;
    std::vector<std::size_t> order_, active_;
    std::vector<std::int64_t> weight_, count_; // of time t'
    CountedRun run_;
    std::int64_t inequalities_ = 0, operations_ = 0;
};

} // namespace crx_test
