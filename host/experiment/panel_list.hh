#pragma once

#include "host/experiment/sweep_plan.hh"

namespace crx {

/// Reads all [[panel]]; there may be none. Names of sweeps, axes, policies, baselines and curves
/// are checked. Throws InputError.
std::vector<Panel> read_panels(ConfigReader& top, Experiment::Detail const& experiment);

} // namespace crx
