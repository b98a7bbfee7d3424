#pragma once

#include "analysis/fluid/type_latency.hh"
#include "host/iteration/iteration_experiment.hh"

namespace crx {

/// points[c][j] of type j at horizon number c.
using TypeCurve = std::vector<std::vector<fluid::TypePoint>>;

/// Of the paths of one policy.
TypeCurve type_curve(std::vector<TypedPath> const& paths, double confidence);

/// A row a policy, horizon and type; columns in docs/iteration.md. A mean over no prompts and a
/// half-width that there is not are left empty. `curves` in the policies' order.
std::string type_csv(IterationExperiment const& experiment, std::vector<TypeCurve> const& curves);

/// Comma, mean, comma, half-width; what is NaN is left empty.
std::string mean_fields(fluid::PathMean const& m);

/// `text` in double quotes, as CSV has it.
std::string csv_text(std::string const& text);

} // namespace crx
