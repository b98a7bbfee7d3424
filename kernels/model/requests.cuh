#pragma once

#include "kernels/base/host_device.cuh"
#include "kernels/model/clock.cuh"

#include <cstdint>

namespace crx {

/// The requests of one instance, as arrays of length n (docs/model.md#requests).
struct Requests
{
    std::int64_t n = 0;
    Tokens memory = 0; ///< M
    Instant* arrival = nullptr;
    std::int32_t* prompt = nullptr; ///< s_i >= 0
    std::int32_t* output = nullptr; ///< o_i >= 1, true length; only mc-* and a-random may look
    std::int32_t* lower = nullptr;  ///< l_i <= o_i
    std::int32_t* upper = nullptr;  ///< u_i >= o_i
    Clock clock;
};

/// Where an engine writes what became of each request, and what can interrupt it; null
/// pointers: not asked for. Engines that serve a fixed order at 0 write starts and completions
/// alone, from which the rest follows.
struct ScheduleLog
{
    Instant* start = nullptr;      ///< start of the run that completed
    Instant* completion = nullptr; ///< end of the round of its last token
    std::int32_t* cancellations = nullptr;
    /// Called with the memory held at each time the engine stops at; null: not asked for.
    void (*on_event)(void*, Instant time, Tokens held, std::int64_t active,
                     std::int64_t waiting) = nullptr;
    void* context = nullptr;
    /// Asked now and then: true ends the run, and its outcome then means nothing. For the CPU.
    bool (*abort_asked)(void*) = nullptr;
    void* abort_context = nullptr;
    Instant* first_start = nullptr; ///< of the first run
    Instant* first_token = nullptr; ///< end of the first round of the run that completed
    Instant* first_shown = nullptr; ///< end of the first round in which it ever generated a token
    std::int64_t* lost = nullptr;   ///< tokens generated and lost to cancellations
    /// Called for rounds from `begin` on in which the same requests run, and that last `time`
    /// together.
    void (*on_stretch)(void*, Instant begin, Stretch const&, Rounds rounds,
                       std::int64_t time) = nullptr;
    /// Called where a run ends that generated so many tokens, before the next stretch.
    void (*on_run_end)(void*, std::int64_t i, Rounds generated) = nullptr;
    void* stretch_context = nullptr; ///< of both

    static constexpr std::int64_t events_between_questions = 1024;
    /// Before anything happened to request i.
    CRX_HD void clear(std::int64_t i) const
    {
        if (cancellations != nullptr) cancellations[i] = 0;
        if (first_start != nullptr) first_start[i] = -1;
        if (first_shown != nullptr) first_shown[i] = -1;
        if (lost != nullptr) lost[i] = 0;
    }
    /// Request i starts at `time`.
    CRX_HD void write_start(std::int64_t i, Instant time) const
    {
        if (start != nullptr) start[i] = time;
        if (first_start != nullptr && first_start[i] < 0) first_start[i] = time;
    }
    /// A run of request i ended that generated so many tokens, the first, if any, by `first`.
    CRX_HD void write_run(std::int64_t i, Instant first, Rounds generated, bool completes) const
    {
        if (on_run_end != nullptr) on_run_end(stretch_context, i, generated);
        if (first_shown != nullptr && generated > 0 && first_shown[i] < 0) first_shown[i] = first;
        if (completes && first_token != nullptr) first_token[i] = first;
    }

    CRX_HD bool should_abort() const
    {
        return abort_asked != nullptr && abort_asked(abort_context);
    }
    /// should_abort(), asked once in so many events.
    CRX_HD bool should_abort(std::int64_t events) const
    {
        return abort_asked != nullptr && events % events_between_questions == 0 &&
               abort_asked(abort_context);
    }
};

/// A range of a cell's instances.
struct InstanceRange
{
    std::int64_t first = 0, count = 0;

    bool operator==(InstanceRange const&) const = default;
};

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
    // (kernels/engines/cell.hh):
    best_found = 4, ///< least TEL that a local search found: an upper bound on OPT
    dual = 5,       ///< JAILLET (25)-(27), identical requests at 0: a lower bound on OPT
    peaks = 6,      ///< prices of memory and of peak rows: a lower bound on OPT
    opt_lower = 7,  ///< largest lower bound known after a search for the optimum
    opt_upper = 8,  ///< least TEL known after it
    opt = 9,        ///< the optimum where these two meet; other instances have no such ratio
};
inline constexpr int engine_baselines = 4; ///< the first ones: CPU and GPU make them alike
inline constexpr int baseline_kinds = 10;

/// TEL of a schedule that others' are divided by; 0, no value, where the policy did not finish.
CRX_HD inline std::int64_t denominator_of(Outcome const& schedule)
{
    return schedule.finished != 0 ? schedule.total_latency : 0;
}

} // namespace crx
