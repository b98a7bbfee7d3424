#pragma once

#include "kernels/engines/cohorts/instance_batch.hh"
#include "kernels/engines/rows.hh"

namespace crx {

// What the rows of the engines that run instances by cohorts side by side have in common.

/// Why no such engine of the CPU runs there; empty: some may.
std::string cohort_batch_refusal(EngineCase const& c);

/// Their cost where they are worth it, as a part of what `cohorts` costs.
double cohort_batch_cost(PolicySpec const& spec, EngineCase const& c, double part);

/// Contract: not null. An InstanceBatch has memory of its own.
std::unique_ptr<BatchRunner> cohort_batch_runner(std::unique_ptr<InstanceBatch> batch);

} // namespace crx
