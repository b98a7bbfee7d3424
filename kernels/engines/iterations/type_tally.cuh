#pragma once

#include "kernels/engines/iterations/iteration_model.cuh"

namespace crx {

/// Integer sums of one type's prompts up to an instant, as IterationTally has them of all.
struct TypeTally
{
    std::int64_t arrivals = 0, completed = 0, first_tokens = 0;
    Unsigned128 arrival_time = 0; ///< sums over prompts, nanoseconds
    Unsigned128 completion_time = 0;
    Unsigned128 first_token_time = 0;

    /// Sum over the type's arrivals of min(completion, until) - arrival.
    CRX_HD Unsigned128 total_latency(Nanoseconds until) const
    {
        return waited(completion_time, completed, until);
    }
    /// Sum over the type's arrivals of min(end of stage 1, until) - arrival.
    CRX_HD Unsigned128 total_time_to_first_token(Nanoseconds until) const
    {
        return waited(first_token_time, first_tokens, until);
    }
    bool operator==(TypeTally const&) const = default;

  private:
    CRX_HD Unsigned128 waited(Unsigned128 events, std::int64_t count, Nanoseconds until) const
    {
        return events +
               static_cast<Unsigned128>(until) * static_cast<Unsigned128>(arrivals - count) -
               arrival_time;
    }
};

/// Keeps nothing of the types.
struct NoTypeEvents
{
    static constexpr bool wanted = false;
    CRX_HD void at(Nanoseconds) {}
    CRX_HD void completed(std::int32_t, std::int64_t = 1) {}
    CRX_HD void first_token(std::int32_t, std::int64_t = 1) {}
};

/// Adds what happens to prompts up to an instant to the tallies of their types.
struct TypeEvents
{
    static constexpr bool wanted = true;
    TypeTally* tally = nullptr; ///< per type; the caller's
    Unsigned128 now = 0;

    CRX_HD void at(Nanoseconds time) { now = static_cast<Unsigned128>(time); }
    /// `n` prompts of the type.
    CRX_HD void completed(std::int32_t type, std::int64_t n = 1)
    {
        tally[type].completed += n;
        tally[type].completion_time += now * static_cast<Unsigned128>(n);
    }
    CRX_HD void first_token(std::int32_t type, std::int64_t n = 1)
    {
        tally[type].first_tokens += n;
        tally[type].first_token_time += now * static_cast<Unsigned128>(n);
    }
};

} // namespace crx
