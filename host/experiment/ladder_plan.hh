#pragma once

#include "host/experiment/name_table.hh"
#include "host/experiment/policy_list.hh"
#include "kernels/model/workload.cuh"

namespace crx {

/// The levels of a policy in a cell: cut to the common interval's upper end where there is one,
/// ascending, each once. Empty for a policy that takes none. Throws ConfigError.
LadderLevels plan_levels(PolicyPlan const& plan, IntervalRule const& interval, NameTable& names);

} // namespace crx
