#pragma once

#include "host/experiment/cell_identity.hh"
#include "host/experiment/workload/interval_plan.hh"

namespace crx {

/// Output lengths of a cell that are not a source's: fills the workload's law or composition, whose
/// requests and memory are set, and what of it the identity says. Those of a trace are only
/// measured here (host/experiment/workload/trace_plan.hh). Tables are left out unless `tabulate`.
/// Least and largest length, as the file lists them. Throws ConfigError.
LengthRange plan_output(WorkloadSpec const& spec, bool tabulate, NameTable& names,
                        Workload& workload, LengthsIdentity& identity);

/// The same for prompts that are not a trace's: least and largest.
LengthRange plan_prompt(PromptSpec const& spec, bool tabulate, NameTable& names, Workload& workload,
                        LengthsIdentity& identity);

} // namespace crx
