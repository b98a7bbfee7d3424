#pragma once

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/requests/memory_profile.cuh"
#include "kernels/model/clock.cuh"
#include "kernels/model/outcome.cuh"
#include "kernels/model/requests.cuh"

namespace crx {

/// The round model for policies that know every length and never cancel: what starts in round t
/// with output o completes at t + o, so the memory profile is all the state there is.
///
/// `Line` is the waiting line: it decides which classes start, and how many of each.
/// Cost of a round in which something happens: the number of different ends, at most the longest
/// output; n does not enter.
template <class Line>
class KnownLengthsEngine
{
  public:
    CRX_HD KnownLengthsEngine(Composition const& composition, Line const& line, Arena& arena,
                              std::int64_t ends)
        : composition_(composition), line_(line), profile_(arena, ends, composition.memory),
          waiting_(composition.requests)
    {
    }

    CRX_HD Outcome execute(ScheduleLog const& log = {})
    {
        go_on(log, INT64_MAX);
        return outcome_;
    }

    /// Goes on for so many events at most; whether the instance is done.
    CRX_HD bool go_on(ScheduleLog const& log, std::int64_t events)
    {
        auto const end = outcome_.events + events;
        auto t = round_;
        while (t != no_round) {
            if (outcome_.events == end) {
                round_ = t;
                return false;
            }
            if (passes_range(t, outcome_.total_latency, waiting_)) {
                outcome_.give_up(Unfinished::out_of_range);
                return true;
            }
            ++outcome_.events;
            if (profile_.next_end() == t && profile_.held_at_next_end() > outcome_.peak_memory)
                outcome_.peak_memory = profile_.held_at_next_end();
            auto const held = profile_.held_until_next_end(t);
            profile_.drop_until(t);
            line_.admit(t, *this);
            if (log.on_event != nullptr)
                log.on_event(log.context, t, held, profile_.counted(), waiting_);
            if (log.abandons(outcome_.events)) return true;
            auto const limit = profile_.next_end();
            CRX_ENSURE(limit != no_round || line_.empty());
            if (line_.empty()) {
                t = limit;
                continue;
            }
            auto const fit = profile_.first_fit(t + 1, composition_.prompt, line_.blocked(), limit);
            t = fit != no_round ? fit : limit;
        }
        return true;
    }
    CRX_HD Outcome const& outcome() const { return outcome_; }

    /// Most requests of output o that could start together in round t.
    CRX_HD std::int64_t most_copies(Rounds t, std::int32_t o) const
    {
        return profile_.most_copies(t, composition_.prompt, o);
    }
    CRX_HD void start(Rounds t, std::int32_t o, std::int64_t m)
    {
        profile_.add(t, composition_.prompt, o, m);
        waiting_ -= m;
        // m t is in range, m o at most M: their sum may pass 2^63, which the next event says.
        outcome_.total_latency = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(outcome_.total_latency) +
            static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(t + o));
        if (t + o > outcome_.makespan) outcome_.makespan = t + o;
    }

  private:
    Composition composition_;
    Line line_;
    MemoryProfile profile_;
    std::int64_t waiting_;
    Rounds round_ = 0; ///< in which go_on() goes on
    Outcome outcome_;
};

} // namespace crx
