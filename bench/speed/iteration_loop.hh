#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"

#include <deque>
#include <queue>
#include <vector>

namespace crx::bench {

/// WAIT as one would write it down: an event queue, a prompt object for each prompt, a first-in
/// first-out queue for each type and stage. What the engine's speed is compared with.
template <class NextArrival>
class PlainWaitLoop
{
  public:
    PlainWaitLoop(IterationTime time, std::vector<PromptType> const& types,
                  std::vector<std::int64_t> const& thresholds, NextArrival next_arrival)
        : time_(time), types_(types), thresholds_(thresholds), next_arrival_(next_arrival)
    {
        for (auto const& type : types)
            stage_.emplace_back(static_cast<std::size_t>(type.output) + 1);
        schedule_arrival();
    }

    void run_until(Nanoseconds until)
    {
        while (!events_.empty() && events_.top().time <= until) {
            auto const now = events_.top().time;
            // The batch's end first, then all arrivals of the instant, then one decision.
            while (!events_.empty() && events_.top().time == now) {
                auto const event = events_.top();
                events_.pop();
                if (event.type < 0) {
                    finish_batch(now);
                } else {
                    stage_[static_cast<std::size_t>(event.type)][0].push_back({now});
                    schedule_arrival();
                }
            }
            if (!busy_) form_batch(now);
        }
    }

    std::int64_t iterations = 0, completed = 0;
    Nanoseconds latency = 0;

  private:
    struct Prompt
    {
        Nanoseconds arrival;
    };
    struct Event
    {
        Nanoseconds time;
        int type; ///< -1: the batch ends
        bool operator<(Event const& other) const
        {
            return time != other.time ? time > other.time : type > other.type;
        }
    };
    struct Move
    {
        std::size_t type, stage, count;
    };

    void schedule_arrival()
    {
        auto const [time, type] = next_arrival_();
        events_.push({time, type});
    }

    void form_batch(Nanoseconds now)
    {
        batch_.clear();
        Tokens tokens = 0;
        for (std::size_t j = 0; j < types_.size(); ++j) {
            auto const n = static_cast<std::size_t>(thresholds_[j]);
            if (stage_[j][0].size() < n) continue;
            for (std::size_t k = 0; k < stage_[j].size(); ++k) {
                auto const count = std::min(n, stage_[j][k].size());
                if (count == 0) continue;
                batch_.push_back({j, k, count});
                tokens += static_cast<Tokens>(count) * (types_[j].prompt + static_cast<Tokens>(k));
            }
        }
        if (batch_.empty()) return;
        busy_ = true;
        ++iterations;
        events_.push({now + time_.of(tokens), -1});
    }

    void finish_batch(Nanoseconds now)
    {
        busy_ = false;
        for (auto move = batch_.rbegin(); move != batch_.rend(); ++move) { // later stages first
            auto& from = stage_[move->type][move->stage];
            for (std::size_t k = 0; k < move->count; ++k) {
                auto const prompt = from.front();
                from.pop_front();
                if (move->stage + 1 < stage_[move->type].size()) {
                    stage_[move->type][move->stage + 1].push_back(prompt);
                } else {
                    ++completed;
                    latency += now - prompt.arrival;
                }
            }
        }
    }

    IterationTime time_;
    std::vector<PromptType> types_;
    std::vector<std::int64_t> thresholds_;
    NextArrival next_arrival_;
    std::vector<std::vector<std::deque<Prompt>>> stage_;
    std::priority_queue<Event> events_;
    std::vector<Move> batch_;
    bool busy_ = false;
};

} // namespace crx::bench
