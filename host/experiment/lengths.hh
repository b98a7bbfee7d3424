#pragma once

#include "host/experiment/cell_identity.hh"
#include "host/experiment/expression.hh"
#include "host/experiment/workload_spec.hh"

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

/// Output lengths of a cell that are not a source's: fills the workload's law or composition, whose
/// requests and memory are set, and what of it the identity says. Those of a trace are only
/// measured here (host/experiment/trace_plan.hh). Tables are left out unless `tabulate`.
/// Least and largest length, as the file lists them. Throws ConfigError.
LengthRange plan_output(WorkloadSpec const& spec, bool tabulate, NameTable& names,
                        Workload& workload, LengthsIdentity& identity);

/// Prompt lengths of a cell that are not a trace's: least and largest.
LengthRange plan_prompt(PromptSpec const& spec, bool tabulate, NameTable& names, Workload& workload,
                        LengthsIdentity& identity);

} // namespace crx
