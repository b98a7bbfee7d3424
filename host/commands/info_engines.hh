#pragma once

#include "host/experiment/experiment.hh"

namespace crx {

/// `crx info --engines`: the table of engines.
void report_engines(bool json);

/// `crx info --engines EXPERIMENT`: for each policy and cell which engine runs it on the CPU and on
/// a GPU, and why the others do not. Cells with equal answers are shown together.
void report_engines(Experiment const& experiment, bool json);

} // namespace crx
