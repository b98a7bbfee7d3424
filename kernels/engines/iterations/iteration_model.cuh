#pragma once

#include "kernels/base/integers.cuh"

namespace crx {

/// Time and duration in the iteration model.
using Nanoseconds = std::int64_t;

/// A type of prompt: l tokens to prefill, l' tokens to decode. Both at least 1.
struct PromptType
{
    Tokens prompt = 1, output = 1;
    bool operator==(PromptType const&) const = default;
};

/// What a batch takes: d0 + floor(d1 tokens). Source: AO (1), d1 in fixed point.
struct IterationTime
{
    Nanoseconds overhead = 1;    ///< d0, positive
    std::uint64_t per_token = 0; ///< d1, nanoseconds times 2^16

    /// INT64_MAX where it is longer.
    CRX_HD Nanoseconds of(Tokens tokens) const { return end(0, tokens); }
    /// End of a batch of so many tokens that begins at `now`; INT64_MAX where it is past 64-bit
    /// time, which no checkpoint reaches. Contract: now >= 0, tokens >= 0.
    CRX_HD Nanoseconds end(Nanoseconds now, Tokens tokens) const
    {
        auto const whole = (Unsigned128{static_cast<std::uint64_t>(tokens)} * per_token) >> 16;
        auto const left = INT64_MAX - now - overhead; // both are below 2^63
        if (left < 0 || whole > static_cast<std::uint64_t>(left)) return INT64_MAX;
        return now + overhead + static_cast<Nanoseconds>(whole);
    }
};

/// A batch as its policy formed it. No prompts: none can be formed.
struct Batch
{
    std::int64_t prompts = 0;
    Tokens tokens = 0;          ///< l + k of each prompt served at stage k: what takes time
    Tokens memory = 0;          ///< of the batch and of all prompts outside it
    std::int64_t cancelled = 0; ///< prompts cancelled to form it

    bool operator==(Batch const&) const = default;
};

/// What the end of a batch brought.
struct BatchEnd
{
    std::int64_t completed = 0;
    Tokens completed_tokens = 0;   ///< sum of l' of the completed
    std::int64_t first_tokens = 0; ///< prompts that left stage 1 for the first time
};

/// Integer sums of one path up to an instant.
///
/// Stages are served in arrival order, but sums need no identities: the latencies of the completed
/// and of those still there add up to the sum of event times minus the sum of arrival times.
struct IterationTally
{
    Nanoseconds until = 0; ///< events up to and including this instant are counted
    std::int64_t arrivals = 0;
    Tokens arrived_tokens = 0; ///< sum of l' over arrivals
    std::int64_t completed = 0;
    Tokens completed_tokens = 0; ///< sum of l' over the completed
    std::int64_t first_tokens = 0;
    Unsigned128 arrival_time = 0; ///< sums over prompts, nanoseconds
    Unsigned128 completion_time = 0;
    Unsigned128 first_token_time = 0;
    std::int64_t iterations = 0;    ///< begun
    std::int64_t batch_prompts = 0; ///< prompts served, summed over iterations
    std::int64_t cancelled = 0;
    std::int64_t overflows = 0; ///< iterations that took more than the given capacity
    Tokens peak_memory = 0;

    CRX_HD std::int64_t in_system() const { return arrivals - completed; }
    /// Sum of l' over the prompts in the system.
    CRX_HD Tokens tokens_in_system() const { return arrived_tokens - completed_tokens; }
    /// Sum over all arrivals of min(completion, until) - arrival.
    CRX_HD Unsigned128 total_latency() const { return waited(completion_time, completed); }
    /// Sum over all arrivals of min(end of stage 1, until) - arrival.
    CRX_HD Unsigned128 total_time_to_first_token() const
    {
        return waited(first_token_time, first_tokens);
    }
    bool operator==(IterationTally const&) const = default;

  private:
    CRX_HD Unsigned128 waited(Unsigned128 events, std::int64_t count) const
    {
        return events +
               static_cast<Unsigned128>(until) * static_cast<Unsigned128>(arrivals - count) -
               arrival_time;
    }
};

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
    static constexpr bool wanted = false; ///< by type
    static constexpr bool names = false;  ///< prompt by prompt, as RequestEvents
    CRX_HD void at(Nanoseconds) {}
    CRX_HD void completed(std::int32_t, std::int64_t, std::int32_t = -1) {}
    CRX_HD void first_token(std::int32_t, std::int64_t = 1) {}
};

/// Adds what happens to prompts up to an instant to the tallies of their types.
struct TypeEvents
{
    static constexpr bool wanted = true;
    static constexpr bool names = false;
    TypeTally* tally = nullptr; ///< per type; the caller's
    Unsigned128 now = 0;

    CRX_HD void at(Nanoseconds time) { now = static_cast<Unsigned128>(time); }
    /// `n` prompts of the type; one, where its slot is told.
    CRX_HD void completed(std::int32_t type, std::int64_t n, std::int32_t = -1)
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

/// Arrivals of one type up to an instant.
struct ArrivalTotals
{
    std::int64_t count = 0;
    Unsigned128 time = 0; ///< sum, nanoseconds
};

} // namespace crx
