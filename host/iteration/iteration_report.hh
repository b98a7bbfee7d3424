#pragma once

#include "analysis/fluid/heavy_traffic.hh"
#include "host/iteration/type_report.hh"

namespace crx {

/// What the theory says of an experiment, without simulation: JSON text.
/// `type_blind`: of what type_blind_report tells; 0: nothing.
std::string fluid_json(IterationExperiment const& experiment, Tokens type_blind = 0);
/// The same in words.
std::string fluid_text(IterationExperiment const& experiment, Tokens type_blind = 0);

/// A row a policy and horizon; columns in docs/iteration.md. `curves` in the policies' order.
std::string iteration_csv(IterationExperiment const& experiment,
                          std::vector<fluid::HeavyTrafficCurve> const& curves);
/// `types`: in the policies' order too, or empty.
std::string iteration_json(IterationExperiment const& experiment,
                           std::vector<fluid::HeavyTrafficCurve> const& curves,
                           std::vector<TypeCurve> const& types = {});
/// Fitted exponents, a line a policy.
std::string exponents_text(IterationExperiment const& experiment,
                           std::vector<fluid::HeavyTrafficCurve> const& curves);

} // namespace crx
