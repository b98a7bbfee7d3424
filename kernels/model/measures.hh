#pragma once

#include "kernels/model/histogram.cuh"
#include "kernels/model/requests.cuh"

#include <array>
#include <cstdint>

namespace crx {

/// What a request can be measured by (docs/model.md#measures-of-requests).
enum class RequestMeasure : std::uint8_t
{
    latency,     ///< completion - arrival
    first_token, ///< end of the first round of the run that completes, less the arrival
    first_shown, ///< the same of the first run that generated a token
    per_token,   ///< (completion - first token) / (o - 1), of o >= 2
    slowdown,    ///< latency over the latency of the same request alone on the clock
    longest_gap, ///< the longest time between two new tokens, of o >= 2 (LongestGaps)
};
inline constexpr int measure_count = 6;

/// Binary digits behind the point of a measure's integers: times are in the clock's unit.
inline constexpr int measure_fraction_bits[measure_count] = {0, 0, 0, 10, 20, 0};

/// above / below with the measure's fraction bits, rounded down, at most time_limit.
std::int64_t in_fixed_point(RequestMeasure measure, std::int64_t above, std::int64_t below);

/// Limits that a request must keep, in the clock's unit; 0: no limit.
struct Objective
{
    std::int64_t latency = 0, first_token = 0;
    std::int64_t per_token = 0; ///< with its fraction bits

    bool any() const { return latency > 0 || first_token > 0 || per_token > 0; }
    /// Whether a request keeps them all; `per_token` of one token: 0.
    bool is_kept(std::int64_t its_latency, std::int64_t its_first_token,
                 std::int64_t its_per_token) const
    {
        auto const within = [](std::int64_t limit, std::int64_t value) {
            return limit == 0 || value <= limit;
        };
        return within(latency, its_latency) && within(first_token, its_first_token) &&
               within(per_token, its_per_token);
    }
    bool operator==(Objective const&) const = default;
};

/// Which measures a cell keeps.
struct MeasureChoice
{
    std::array<bool, measure_count> kept = {};
    bool totals = false; ///< throughput, memory, attainment
    Objective objective = {};

    bool any() const
    {
        for (bool const one : kept)
            if (one) return true;
        return totals;
    }
    bool operator==(MeasureChoice const&) const = default;
};

/// Instances fall into groups by their number, so that intervals come from what the groups
/// differ by: requests of one instance depend on each other.
inline constexpr int measure_groups = 8;

/// Sums of one policy over the instances of a group.
struct MeasureGroup
{
    struct Values
    {
        std::int64_t count = 0;
        std::int64_t largest = 0;
        Unsigned128 sum = 0;
        Histogram histogram;
        bool operator==(Values const&) const = default;
    };
    std::array<Values, measure_count> value; ///< of the measures that are kept
    std::int64_t instances = 0;              ///< that finished, and
    std::int64_t requests = 0;               ///< of all instances, finished or not
    std::int64_t attained = 0;               ///< requests within the objective
    std::int64_t attained_tokens = 0;
    std::int64_t tokens = 0;      ///< of requests that completed
    std::int64_t lost_tokens = 0; ///< generated in vain
    Unsigned128 time = 0;         ///< makespans
    Unsigned128 held_time = 0;    ///< tokens held times how long
    Unsigned128 crowded_time = 0; ///< in which 90 % of M or more were held

    void add(MeasureGroup const& other);
    bool operator==(MeasureGroup const&) const = default;
};

struct MeasureSums
{
    std::array<MeasureGroup, measure_groups> group;

    void add(MeasureSums const& other)
    {
        for (int g = 0; g < measure_groups; ++g)
            group[static_cast<std::size_t>(g)].add(other.group[static_cast<std::size_t>(g)]);
    }
    bool empty() const { return *this == MeasureSums{}; }
    bool operator==(MeasureSums const&) const = default;
};

/// How much memory was held for how long, of one run.
struct MemoryUse
{
    Unsigned128 held_time = 0, crowded_time = 0;

    /// A stretch of so many rounds that last `time` together. A round counts with what is held at
    /// its end. Under an affine clock the products are summed without their rounding down, which
    /// changes less than 10^-9 of them.
    void add(Clock const& clock, Tokens memory, Stretch const& stretch, Rounds rounds,
             std::int64_t time);
};

/// What the same request takes alone on the clock.
inline std::int64_t time_alone(Clock const& clock, std::int32_t prompt, std::int32_t output)
{
    if (!clock.affine()) return output;
    return clock.elapsed({Tokens{prompt} + 1, 1, prompt}, output);
}

} // namespace crx
