#pragma once

#include "kernels/base/host_device.cuh"

namespace crx {

/// Why a policy did not finish an instance (docs/model.md#protect).
enum class Unfinished : std::uint8_t
{
    none,         ///< it finished
    cycle,        ///< its state repeats and nothing is to come that could change it
    round_cap,    ///< as many rounds as its cap allows passed without a completion
    blocked,      ///< nothing is active and the next request can never be admitted
    out_of_range, ///< time or total latency passed 2^62
};
inline constexpr int unfinished_reasons = 5; ///< with none

/// What one policy did with one instance. Times are in the clock's unit: rounds, or nanoseconds
/// under the affine clock.
struct Outcome
{
    std::int64_t total_latency = 0; ///< TEL, sum of c_i - a_i
    std::int64_t makespan = 0;      ///< last completion
    Tokens peak_memory = 0;         ///< most memory held at any time
    std::int64_t cancellations = 0;
    std::int64_t wasted_tokens = 0; ///< generated, then lost to a cancellation
    std::int64_t events = 0;        ///< rounds the engine stopped at: the work it did
    std::int32_t finished = 1;      ///< 0: the policy does not finish this instance
    Unfinished reason = Unfinished::none;
    /// Sum of the times to the first token: of the run that completed, as a cancelled one loses its
    /// tokens.
    std::int64_t first_token_latency = 0;

    CRX_HD void give_up(Unfinished why)
    {
        finished = 0;
        reason = why;
    }
    bool operator==(Outcome const&) const = default;
};

/// Whether it says that nothing is known: another engine, or another slice, has yet to say.
CRX_HD inline bool is_unknown(Outcome const& outcome)
{
    return outcome.finished == 0 && outcome.reason == Unfinished::none;
}

/// What a ratio is divided by (docs/model.md#baselines).
enum class BaselineKind : std::uint8_t
{
    h_sf = 0,    ///< TEL of mc-sf with true lengths, all at 0: a schedule, an upper bound on OPT
    volume = 1,  ///< the volume bound, all at 0: a lower bound on OPT
    release = 2, ///< the volume bound with release times, unit clock: a lower bound on OPT
    mc_sf = 3,   ///< TEL of mc-sf under any arrivals and clock: a schedule, an upper bound on OPT
    // Made by the host beside the engines, under the unit clock
    // (kernels/backends/host_baselines.hh):
    best_found = 4, ///< least TEL that a local search found: an upper bound on OPT
    dual = 5,       ///< JAILLET (25)-(27), identical requests at 0: a lower bound on OPT
    peaks = 6,      ///< prices of memory and of peak rows: a lower bound on OPT
    lp = 7,         ///< prices of the relaxation of JAILLET (1)-(4): a lower bound on OPT
    clique_lp = 8,  ///< the same with clique rows: a lower bound on OPT
    opt_lower = 9,  ///< largest lower bound known after a search for the optimum
    opt_upper = 10, ///< least TEL known after it
    opt = 11,       ///< the optimum where these two meet; other instances have no such ratio
};
inline constexpr int engine_baselines = 4; ///< the first ones: CPU and GPU make them alike
inline constexpr int baseline_kinds = 12;

/// TEL of a schedule that others' are divided by; 0, no value, where the policy did not finish.
CRX_HD inline std::int64_t denominator_of(Outcome const& schedule)
{
    return schedule.finished != 0 ? schedule.total_latency : 0;
}

} // namespace crx
