#pragma once

#include "analysis/fluid/type_latency.hh"
#include "host/iteration/iteration_experiment.hh"

namespace crx {

/// points[c][j] of type j at horizon number c.
using TypeCurve = std::vector<std::vector<fluid::TypePoint>>;

/// Of the paths of one policy.
TypeCurve type_curve(std::vector<TypedPath> const& paths, double confidence);

/// A row a policy, horizon and type; columns in docs/iteration.md. A mean over no prompts is left
/// empty. `curves` in the policies' order.
std::string type_csv(IterationExperiment const& experiment, std::vector<TypeCurve> const& curves);

/// `text` in double quotes, as CSV has it.
std::string csv_text(std::string const& text);

} // namespace crx
