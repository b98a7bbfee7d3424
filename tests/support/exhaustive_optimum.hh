#pragma once

#include "oracle/oracle.hh"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace crx_test {

/// The least TEL of any schedule without cancellation, by trying every start of every request:
/// plain and slow, shares nothing with the program. A request's starts end where its latency alone,
/// with the others at their outputs, reaches the best TEL found.
class ExhaustiveOptimum
{
  public:
    ExhaustiveOptimum(std::vector<oracle::Request> requests, std::int64_t memory)
        : requests_(std::move(requests)), memory_(memory)
    {
        // One after the other is a schedule.
        std::int64_t clock = 0;
        for (auto const& r : requests_) clock = std::max(clock, r.arrival);
        for (auto const& r : requests_) {
            clock += r.output;
            best_ += clock - r.arrival;
            rest_.push_back(0);
        }
        for (std::size_t i = requests_.size(); i-- > 1;)
            rest_[i - 1] = rest_[i] + requests_[i].output;
        held_.assign(static_cast<std::size_t>(best_ + clock + 2), 0);
    }

    std::int64_t find()
    {
        place(0, 0);
        return best_;
    }

  private:
    void place(std::size_t i, std::int64_t latency)
    {
        if (i == requests_.size()) {
            best_ = std::min(best_, latency);
            return;
        }
        auto const& r = requests_[i];
        for (std::int64_t start = r.arrival;; ++start) {
            std::int64_t const now = latency + start + r.output - r.arrival;
            if (now + rest_[i] >= best_) return;
            bool fits = true;
            for (std::int64_t j = 1; j <= r.output; ++j) {
                held_[static_cast<std::size_t>(start + j)] += r.prompt + j;
                if (held_[static_cast<std::size_t>(start + j)] > memory_) fits = false;
            }
            if (fits) place(i + 1, now);
            for (std::int64_t j = 1; j <= r.output; ++j)
                held_[static_cast<std::size_t>(start + j)] -= r.prompt + j;
        }
    }

    std::vector<oracle::Request> requests_;
    std::int64_t memory_, best_ = 0;
    std::vector<std::int64_t> rest_; // sum of outputs after i
    std::vector<std::int64_t> held_;
};

/// The same of an instance as the program holds it.
template <class Instance>
std::int64_t exhaustive_optimum(Instance const& instance)
{
    std::vector<oracle::Request> requests(instance.output.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].arrival = instance.arrival[i];
        requests[i].prompt = instance.prompt[i];
        requests[i].output = instance.output[i];
    }
    return ExhaustiveOptimum(requests, instance.memory).find();
}

} // namespace crx_test
