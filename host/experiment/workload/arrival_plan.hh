#pragma once

#include "host/experiment/name_table.hh"
#include "host/experiment/workload/arrival_spec.hh"

namespace crx {

/// The clock of a cell. Throws ConfigError where a round could last longer than 2^46 ns.
Clock plan_clock(ClockSpec const& spec, Tokens memory, NameTable& names);

/// Fills the arrivals of a workload whose clock and requests are set; those of a trace are its
/// trace_arrival (host/experiment/workload/trace_plan.hh). Tables are left out unless `tabulate`.
/// Throws ConfigError where the times could pass 2^61.
void plan_arrivals(ArrivalSpec const& spec, bool tabulate, NameTable& names, Workload& workload);

/// How many times as fast as in the trace requests arrive, in 10^-9.
std::int64_t plan_speed(ArrivalSpec const& spec, NameTable& names);

/// A trace's time on a clock: divided by the speed, rounded up to a nanosecond or, under the unit
/// clock, to a round for each second. Contract: nanoseconds < 2^62, speed >= 1000.
Instant trace_instant(std::int64_t nanoseconds, std::int64_t speed, ClockKind clock);

} // namespace crx
