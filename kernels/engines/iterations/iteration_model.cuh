#pragma once

#include "kernels/base/uint192.cuh"

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

} // namespace crx
