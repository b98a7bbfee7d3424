#pragma once

#include "host/experiment/name_table.hh"
#include "host/experiment/workload/workload_spec.hh"

namespace crx {

/// Least and largest output length of a workload.
struct LengthRange
{
    std::int32_t least = 1, largest = 1;
};

/// The interval rule of a cell. `covering`: a common interval must hold all of `range`.
/// Throws ConfigError.
IntervalRule plan_interval(IntervalSpec const& spec, LengthRange range, bool covering,
                           NameTable& names);

/// u(o), in 64 bits: it may be past what the engines hold. Contract: o >= 1, in the interval.
std::int64_t upper_end(IntervalRule const& rule, std::int32_t o);

} // namespace crx
