#pragma once

#include "host/experiment/expression.hh"
#include "host/input/trace_rows.hh"
#include "kernels/model/workload.cuh"

namespace crx {

/// [workload.clock] as the file says it.
struct ClockSpec
{
    bool affine = false; ///< without the table: the unit clock
    /// d0, d1, d2, d3 in nanoseconds, or those of a profile; and what all are multiplied by.
    std::vector<Expression> costs;
    std::optional<Expression> slowdown;
};

/// A step of a rate that varies.
struct RateStepSpec
{
    Expression rate;
    std::optional<Expression> duration; ///< none: for ever
};

/// [workload.arrivals] as the file says it.
struct ArrivalSpec
{
    ArrivalKind kind = ArrivalKind::at_zero;
    std::vector<RateStepSpec> rates; ///< of both Poisson laws
    bool repeat = false;
    std::optional<Expression> gap_cv; ///< of gamma gaps: their coefficient of variation
    std::optional<Expression> speed;  ///< of trace
    /// In place of a rate or a speed: the share of what memory and clock can do.
    std::optional<Expression> offered_load;
    std::string where, key;
};

/// Both throw InputError; a table that is left out is the unit clock, all at 0.
ClockSpec read_clock(ConfigReader& workload, FieldReader& fields);
ArrivalSpec read_arrivals(ConfigReader& workload, FieldReader& fields, TraceFiles& files);

/// Every expression, under the name others may use it by; empty where it has none.
using NamedExpressions = std::vector<std::pair<std::string, Expression const*>>;
void add_expressions(ClockSpec const& clock, NamedExpressions& out);
void add_expressions(ArrivalSpec const& arrivals, NamedExpressions& out);

/// The clock of a cell. Throws ConfigError where a round could last longer than 2^46 ns.
Clock plan_clock(ClockSpec const& spec, Tokens memory, NameTable& names);

/// Fills the arrivals of a workload whose clock and requests are set; those of a trace are its
/// trace_arrival (host/experiment/trace_plan.hh). Tables are left out unless `tabulate`.
/// Throws ConfigError where the times could pass 2^61. The coefficient of variation of gamma gaps,
/// or 0.
double plan_arrivals(ArrivalSpec const& spec, bool tabulate, NameTable& names, Workload& workload);

/// Sets the rate, or the speed of a trace whose times stand unscaled in the workload, so that the
/// work that arrives is `offered_load` of what memory and clock can do (docs/model.md#load). The
/// speed, in 10^-9, or 0 where it was a rate. Throws ConfigError where the workload has no load, as
/// all arrives at once. Contract: the workload's tables are there.
std::int64_t offer_load(ArrivalSpec const& spec, NameTable& names, Workload& workload);

/// How many times as fast as in the trace requests arrive, in 10^-9.
std::int64_t plan_speed(ArrivalSpec const& spec, NameTable& names);

/// A trace's time, in rounds or nanoseconds, divided by the speed and rounded up. Contract: time <
/// 2^62, speed >= 1000.
Instant trace_instant(std::int64_t time, std::int64_t speed);

/// Names of machine profiles (docs/profiles.md).
std::vector<std::string> profile_ids();

} // namespace crx
