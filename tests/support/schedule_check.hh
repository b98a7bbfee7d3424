#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/oracle.hh"

/// Checks schedules from the starts alone, by code that neither the oracle nor the engines use.
namespace crx_test {

/// What the starts of a schedule that never cancels come to.
struct ScheduleFacts
{
    std::int64_t total_latency = 0, makespan = 0, peak_memory = 0;
    std::optional<std::size_t> early; ///< a request that starts before it arrives
    std::optional<std::int64_t> over; ///< the first time at which more than the memory is held
    std::vector<std::int64_t> held;   ///< held[t]: tokens held at time t, t = 0 .. makespan

    bool valid() const { return !early && !over; }
};

/// Contract: one start a request.
inline ScheduleFacts check_schedule(std::vector<oracle::Request> const& requests,
                                    std::int64_t memory, std::vector<std::int64_t> const& starts)
{
    ScheduleFacts facts;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        std::int64_t const completion = starts.at(i) + requests[i].output;
        facts.total_latency += completion - requests[i].arrival;
        facts.makespan = std::max(facts.makespan, completion);
        if (starts[i] < requests[i].arrival && !facts.early) facts.early = i;
    }
    facts.held.assign(static_cast<std::size_t>(facts.makespan) + 1, 0);
    for (std::size_t i = 0; i < requests.size(); ++i)
        for (std::int64_t j = 1; j <= requests[i].output; ++j)
            facts.held.at(static_cast<std::size_t>(starts[i] + j)) += requests[i].prompt + j;
    for (std::size_t t = 0; t < facts.held.size(); ++t) {
        facts.peak_memory = std::max(facts.peak_memory, facts.held[t]);
        if (facts.held[t] > memory && !facts.over) facts.over = static_cast<std::int64_t>(t);
    }
    return facts;
}

/// Memory fits if only the requests of `some` run, from their starts.
inline bool fits_together(std::vector<oracle::Request> const& requests, std::int64_t memory,
                          std::vector<std::int64_t> const& starts,
                          std::vector<std::size_t> const& some)
{
    std::vector<oracle::Request> few;
    std::vector<std::int64_t> their_starts;
    for (std::size_t i : some) {
        few.push_back(requests[i]);
        their_starts.push_back(starts[i]);
    }
    return !check_schedule(few, memory, their_starts).over;
}

/// Is this the schedule of the prefix rule (docs/model.md#prefix-rule) with known lengths, for the
/// waiting order in which request `order[0]` goes first? Then nobody overtakes a waiting request,
/// and at every round before its start the foremost waiting request would not have fitted in beside
/// those started until then. Returns a request that breaks this. Cost: a check per round waited.
inline std::optional<std::size_t> prefix_rule_breach(std::vector<oracle::Request> const& requests,
                                                     std::int64_t memory,
                                                     std::vector<std::int64_t> starts,
                                                     std::vector<std::size_t> const& order)
{
    for (std::size_t k = 0; k < order.size(); ++k) {
        std::size_t const i = order[k];
        std::int64_t const start = starts[i];
        for (std::int64_t t = requests[i].arrival; t < start; ++t) {
            std::vector<std::size_t> beside{i};
            bool foremost = true;
            for (std::size_t place = 0; place < order.size(); ++place) {
                std::size_t const j = order[place];
                if (j == i) continue;
                if (place < k && requests[j].arrival <= t && starts[j] > t) foremost = false;
                if (place > k && starts[j] == t) return i; // overtaken
                if (starts[j] <= t) beside.push_back(j);
            }
            starts[i] = t;
            bool const fitted = fits_together(requests, memory, starts, beside);
            starts[i] = start;
            if (foremost && fitted) return i;
        }
    }
    return std::nullopt;
}

} // namespace crx_test
