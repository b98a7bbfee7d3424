#pragma once

#include "host/sweep/plan.hh"

#include <string>

namespace crx {

/// What of the experiment only the CPU can do, for choose_backend; empty: nothing.
std::string only_on_cpu(Experiment const& experiment, Plan const& plan);

} // namespace crx
