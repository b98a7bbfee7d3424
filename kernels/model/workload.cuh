#pragma once

#include "kernels/model/clock.cuh"
#include "kernels/model/requests.cuh"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crx {

/// How output lengths come about.
enum class OutputKind : std::uint8_t
{
    table,       ///< independent draws from a tabulated law
    composition, ///< exact counts of each length, in uniformly random order
    trace,       ///< prompt and output together from the rows of a trace
};

enum class PromptKind : std::uint8_t
{
    constant,
    table,
    trace
};

/// How rows of a trace are taken.
enum class TraceOrder : std::uint8_t
{
    sampled,  ///< each request an independent uniform row of its source, sources in random order
    in_order, ///< request i is row i of source 0 (the instance number does not matter)
    window    ///< request i is row w + i of source 0; w uniform, drawn for the instance
};

/// What the policies are told of a request's output length o (docs/model.md#laws).
enum class IntervalKind : std::uint8_t
{
    exact,   ///< l = u = o
    common,  ///< l = lower, u = upper for all
    buckets, ///< [1, width], [width + 1, 2 width], ...
    relative ///< l = max(1, floor((1 - x) o)), u = ceil((1 + x) o), x = numerator / denominator
};

struct IntervalRule
{
    IntervalKind kind = IntervalKind::exact;
    std::int32_t lower = 1, upper = 1; ///< of common
    std::int32_t width = 100;          ///< of buckets
    std::int64_t numerator = 0;        ///< x of relative, as an exact fraction
    std::int64_t denominator = 1;

    bool operator==(IntervalRule const&) const = default;
};

/// When requests arrive (docs/model.md#laws).
enum class ArrivalKind : std::uint8_t
{
    at_zero,
    poisson_rounds, ///< a number of arrivals drawn for each round
    poisson,        ///< a Poisson process in continuous time, its rate a step function; or one of
                    ///< gamma gaps at that rate, where there is a table of gaps
    trace           ///< the times of the rows of a trace in order
};

/// A stretch of time in which the rate of arrivals is constant.
struct RateStep
{
    Instant duration = 0;  ///< of the last step of steps that do not repeat: not read
    std::int64_t rate = 1; ///< arrivals a second (unit clock: a round) in 10^-9

    bool operator==(RateStep const&) const = default;
};

/// A rate times a duration is in these fractions of an arrival.
CRX_HD constexpr std::uint64_t rate_unit(ClockKind kind)
{
    return kind == ClockKind::affine ? 1'000'000'000'000'000'000u : 1'000'000'000u;
}

/// A workload law: every instance is a function of it, the seed and the instance's number.
/// Pointer is `std::vector`-like on the host and a plain span where kernels read it.
template <template <class> class Array>
struct BasicWorkload
{
    std::uint64_t seed = 0;
    std::int64_t requests = 0; ///< n
    Tokens memory = 0;         ///< M

    OutputKind output_kind = OutputKind::table;
    Array<std::int32_t> output_value;      ///< support, ascending (table, composition)
    Array<std::uint64_t> output_threshold; ///< of table: one each (docs/random-choices.md)
    Array<std::int64_t> output_count;      ///< of composition: requests with each value, sum n

    PromptKind prompt_kind = PromptKind::constant;
    std::int32_t prompt_constant = 0;
    Array<std::int32_t> prompt_value;
    Array<std::uint64_t> prompt_threshold;

    TraceOrder trace_order = TraceOrder::sampled;
    Array<std::int32_t> trace_prompt; ///< rows of all sources, one source after the other
    Array<std::int32_t> trace_output;
    Array<std::int64_t> source_end;   ///< one past the last row of each source
    Array<std::int64_t> source_count; ///< requests from each source, sum n

    IntervalRule interval;

    Clock clock;
    ArrivalKind arrival_kind = ArrivalKind::at_zero;
    Array<std::int32_t> round_value; ///< of poisson_rounds: arrivals in a round, a law's table
    Array<std::uint64_t> round_threshold;
    Array<RateStep> rate_step;    ///< of poisson
    bool rate_repeats = false;    ///< after the last step the first begins again
    Array<Instant> trace_arrival; ///< of trace: of each row, ascending
    /// Of gamma gaps (GapLaw): ends of the cells of gaps of mean 1, in 2^-48, and the chance of a
    /// gap below each, in 2^-64. Empty: exponential gaps.
    Array<std::uint64_t> gap_end, gap_threshold;
};

template <class T>
using OwnedArray = std::vector<T>;
template <class T>
using ViewedArray = std::span<T const>;

using Workload = BasicWorkload<OwnedArray>;      ///< owns its tables
using WorkloadView = BasicWorkload<ViewedArray>; ///< trivially copyable; what kernels receive

/// A view of a workload that must outlive it.
inline WorkloadView view_of(Workload const& w)
{
    return {w.seed,         w.requests,         w.memory,
            w.output_kind,  w.output_value,     w.output_threshold,
            w.output_count, w.prompt_kind,      w.prompt_constant,
            w.prompt_value, w.prompt_threshold, w.trace_order,
            w.trace_prompt, w.trace_output,     w.source_end,
            w.source_count, w.interval,         w.clock,
            w.arrival_kind, w.round_value,      w.round_threshold,
            w.rate_step,    w.rate_repeats,     w.trace_arrival,
            w.gap_end,      w.gap_threshold};
}

/// A published law of whole instances that no product of laws can say: n, M or both differ from
/// instance to instance, or lengths depend on each other. Made on the host only.
class InstanceSource
{
  public:
    virtual ~InstanceSource() = default;

    /// Writes the requests' arrays, n and M: a function of seed and instance alone. Called by
    /// several threads at once. Contract: the arrays have room for most_requests().
    virtual void generate(std::uint64_t seed, std::uint64_t instance, Requests& requests) const = 0;
    virtual std::int64_t most_requests() const = 0;
    virtual Tokens most_memory() const = 0;
    /// Whether all arrive at 0.
    virtual bool together() const = 0;

    /// All that the law depends on, as names and values: the id first.
    virtual std::vector<std::pair<std::string, std::string>> identity() const = 0;
};

} // namespace crx
