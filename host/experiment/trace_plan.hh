#pragma once

#include "host/experiment/lengths.hh"
#include "host/experiment/workload_spec.hh"

namespace crx {

/// What a table says of a trace beside its file: format, prompt, output, arrival, unit.
TraceReading read_trace_reading(ConfigReader& source, bool with_times);

/// Least and largest output among the rows that fit in memory by their true lengths.
/// Throws ConfigError if there is none.
LengthRange range_of(TraceSpec const& trace, Tokens memory, NameTable const& names);

/// Fills a workload's trace from the rows that can be served: s + o <= M, o in a common interval,
/// and s + u(o) <= M where `plans_with_upper`. Its requests, memory, interval, clock and kind of
/// arrivals are set already; `speed` is that of arrivals at the trace's times, in 10^-9.
/// Throws ConfigError if a source that requests come from has no such row.
void plan_trace(TraceSpec const& trace, bool plans_with_upper, std::int64_t speed,
                Expression const& requests, NameTable& names, Workload& workload,
                LeftOut& left_out);

} // namespace crx
