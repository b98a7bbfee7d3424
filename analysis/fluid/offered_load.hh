#pragma once

#include "kernels/base/integers.cuh"
#include "kernels/model/clock.cuh"

#include <cstdint>

namespace crx {

/// Sums over requests of what their service takes, whatever the schedule.
struct OfferedWork
{
    Unsigned128 volume = 0; ///< token-rounds: s o + o (o + 1) / 2 each
    Unsigned128 prompts = 0, outputs = 0;

    void add(std::int32_t prompt, std::int32_t output)
    {
        auto const s = static_cast<Unsigned128>(prompt), o = static_cast<Unsigned128>(output);
        volume += s * o + o * (o + 1) / 2;
        prompts += s;
        outputs += o;
    }
    /// The same requests so many times.
    OfferedWork times(std::int64_t count) const
    {
        auto const n = static_cast<Unsigned128>(count);
        return {volume * n, prompts * n, outputs * n};
    }
    void add(OfferedWork const& other)
    {
        volume += other.volume;
        prompts += other.prompts;
        outputs += other.outputs;
    }
};

/// The least time in which any schedule serves them (docs/model.md#load): a round holds M tokens at
/// most, so the volume takes volume / M rounds of d0 at least, and its tokens, prompts and outputs
/// cost d1, d2 and d3 each. In rounds under the unit clock, else in nanoseconds; without the
/// rounding down of products, at most two nanoseconds a round. Contract: memory > 0.
double least_busy_time(OfferedWork const& work, Tokens memory, Clock const& clock);

} // namespace crx
