#pragma once

#include "analysis/claims/trial.hh"
#include "analysis/fluid/critical_load.hh"
#include "analysis/fluid/heavy_traffic.hh"
#include "kernels/engines/iterations/iterate.hh"

namespace crx::claims {

/// AO's instance of appendices A.3 and A.4: types (1, 1) and (1, 2), a rate of 1 a second each, an
/// iteration in equilibrium of one second, d1 = 0.05 s; M* = 9.
fluid::Load appendix_load();

/// Paths of it. `doublings`: horizons 16, 32, .. 16 2^doublings seconds.
IterationCell appendix_cell(IterationPolicyKind kind, int doublings);
IterationCell wait_cell(std::vector<std::int64_t> const& thresholds, int doublings);
IterationCell nested_cell(std::vector<std::int64_t> const& thresholds, int doublings);
/// First come, first served with C tokens: mixed (Sarathi without a budget), vLLM or safe.
IterationCell fcfs_cell(IterationPolicyKind kind, Tokens memory, int doublings);

/// Gap and latency over `paths` paths, fitted from horizon number `fit_from` on, 95 %.
fluid::HeavyTrafficCurve curve_of(IterationCell const& cell, std::int64_t paths,
                                  std::size_t fit_from);

/// "-0.518 [-0.534, -0.502]".
std::string text(fluid::Exponent const& exponent);

} // namespace crx::claims
