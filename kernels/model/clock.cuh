#pragma once

#include "kernels/base/integers.cuh"

namespace crx {

/// A point of the clock's time: the number of a round under the unit clock, nanoseconds under the
/// affine one.
using Instant = std::int64_t;

/// Times at or beyond this are out of range: a run that gets there is unfinished.
inline constexpr Instant time_limit = std::int64_t{1} << 62;

enum class ClockKind : std::uint8_t
{
    unit,  ///< every round lasts 1
    affine ///< d0 + d3 x requests that run + floor(d1 x tokens held at its end) + floor(d2 x prompt
           ///< tokens that enter in it)
};

/// Consecutive rounds in which the same requests are active.
struct Stretch
{
    Tokens held = 0;         ///< at the end of the first round
    std::int64_t growth = 0; ///< tokens that each later round adds: one for each request that runs
    Tokens prompts = 0;      ///< prompt tokens that enter in the first round
};

/// How long rounds last (docs/model.md#affine-clock). Each product is rounded down by itself
/// (docs/decisions, 020). Units: nanoseconds, and nanoseconds in 2^-16 where so marked; a unit
/// clock is 1, 0, 0. Contract: every duration that occurs is below 2^62.
struct Clock
{
    ClockKind kind = ClockKind::unit;
    std::int64_t d0 = 1;
    std::int64_t d1 = 0; ///< for a token held, in 2^-16
    std::int64_t d2 = 0; ///< for a prompt token that enters, in 2^-16
    /// For a request that runs. Not of the papers: what measured rounds show beside the rest
    /// (docs/profiles.md), and without which JAILLET's Table 1 does not come out.
    std::int64_t d3 = 0;

    static constexpr int fraction_bits = 16;

    CRX_HD bool affine() const { return kind == ClockKind::affine; }

    CRX_HD std::int64_t round(Tokens held, Tokens prompts, std::int64_t running) const
    {
        return d0 + d3 * running + ((d1 * held) >> fraction_bits) +
               ((d2 * prompts) >> fraction_bits);
    }

    /// What the first `rounds` rounds of a stretch last together, at most time_limit.
    CRX_HD std::int64_t elapsed(Stretch const& s, Rounds rounds) const
    {
        if (rounds <= stepped) {
            std::int64_t sum = 0;
            for (Rounds k = 0; k < rounds; ++k)
                sum += round(s.held + k * s.growth, k == 0 ? s.prompts : 0, s.growth);
            return sum < time_limit ? sum : time_limit;
        }
        auto const n = static_cast<Unsigned128>(rounds);
        auto const sum = n * static_cast<Unsigned128>(d0 + d3 * s.growth) +
                         static_cast<Unsigned128>((d2 * s.prompts) >> fraction_bits) +
                         sum_of_floors(static_cast<std::uint64_t>(rounds),
                                       static_cast<std::uint64_t>(d1 * s.growth),
                                       static_cast<std::uint64_t>(d1 * s.held));
        return sum < static_cast<Unsigned128>(time_limit) ? static_cast<std::int64_t>(sum)
                                                          : time_limit;
    }

    /// The least number of rounds, at least 1 and at most `limit`, after which at least `wanted`
    /// has passed; `limit` if that is not enough.
    CRX_HD Rounds rounds_until(Stretch const& s, std::int64_t wanted, Rounds limit) const
    {
        std::int64_t passed = 0;
        for (Rounds k = 0; k < stepped; ++k) {
            if (k == limit || (k > 0 && passed >= wanted)) return k;
            passed += round(s.held + k * s.growth, k == 0 ? s.prompts : 0, s.growth);
        }
        if (passed >= wanted) return stepped;
        Rounds low = stepped, high = limit; // too few, enough
        while (high - low > 1) {
            auto const middle = low + (high - low) / 2;
            if (elapsed(s, middle) < wanted)
                low = middle;
            else
                high = middle;
        }
        return high;
    }

    bool operator==(Clock const&) const = default;

  private:
    static constexpr Rounds stepped = 32; ///< as many rounds are added up one by one

    /// Sum over k < n of floor((a k + b) / 2^16), by the Euclid-like reduction of lattice points
    /// under a line (Graham, Knuth and Patashnik, Concrete Mathematics, section 3.5).
    CRX_HD static Unsigned128 sum_of_floors(std::uint64_t n, std::uint64_t a, std::uint64_t b)
    {
        Unsigned128 sum = 0;
        std::uint64_t m = std::uint64_t{1} << fraction_bits;
        for (;;) {
            auto const pairs = Unsigned128{n} * (n - 1) / 2;
            sum += pairs * (a / m) + Unsigned128{n} * (b / m);
            a %= m;
            b %= m;
            auto const top = Unsigned128{a} * n + b;
            if (top < m) return sum;
            n = static_cast<std::uint64_t>(top / m);
            b = static_cast<std::uint64_t>(top % m);
            auto const slope = a;
            a = m;
            m = slope;
        }
    }
};

/// Whether the total latency of requests that are all there at 0 is 2^62 or more under the unit
/// clock, said before anything is added that could wrap: `total` is the latency of those that are
/// counted by round t, and `left` others complete in round t or later.
///
/// While it is not, left t more can be added to `total`, and so can the tokens that were generated
/// and lost up to t: each of them was a round of somebody's latency. As a rule it costs two
/// comparisons. Contract: total, taken as unsigned, did not wrap; left < 2^32, t >= 0.
CRX_HD inline bool passes_range(Rounds t, std::int64_t total, std::int64_t left)
{
    constexpr auto limit = static_cast<std::uint64_t>(time_limit);
    constexpr Rounds sure = Rounds{1} << 29; // n of them stay below 2^61
    auto const counted = static_cast<std::uint64_t>(total);
    if (t < sure && counted < limit / 2) return false;
    auto const least = static_cast<Unsigned128>(counted) +
                       static_cast<Unsigned128>(t) * static_cast<Unsigned128>(left);
    return least >= static_cast<Unsigned128>(limit);
}

} // namespace crx
